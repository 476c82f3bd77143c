// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/scene.h"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace wisp::app {

/// Values of a key that is given, or has a default. @throws Error Scene if there is no such key. std::logic_error if it has another type.
bool truthOf(const Scene& scene, const std::string& key);
std::string textOf(const Scene& scene, const std::string& key);
std::vector<std::string> textsOf(const Scene& scene, const std::string& key);  ///< one, or those of a list
std::vector<double> numbersOf(const Scene& scene, const std::string& key);     ///< one, or those of a list

/// The value of a key as a `T`: bool, std::string, a number that a double holds exactly, or a std::array of such numbers.
template <class T>
T valueOf(const Scene& scene, const std::string& key) {
    if constexpr (std::is_same_v<T, bool>) return truthOf(scene, key);
    else if constexpr (std::is_same_v<T, std::string>) return textOf(scene, key);
    else if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(numbersOf(scene, key).at(0));
    else {
        const std::vector<double> numbers = numbersOf(scene, key);
        T list{};
        for (std::size_t n = 0; n < list.size(); ++n) list[n] = static_cast<typename T::value_type>(numbers.at(n));
        return list;
    }
}

}  // namespace wisp::app
