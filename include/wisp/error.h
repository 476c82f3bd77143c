// SPDX-License-Identifier: MIT
#ifndef WISP_ERROR_H
#define WISP_ERROR_H

#include <wisp/export.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace wisp {

/// Kind of an error. The numbers are stable.
enum class ErrorCode : int {
    Argument = 1,      ///< an argument of a call is wrong; the message says what would be right
    Scene = 2,         ///< a key or a value of a scene is wrong, see Error::problems
    File = 3,          ///< a file cannot be read, or is damaged
    NoDevice = 4,      ///< no device can be used; the message names what each lacks
    OutOfMemory = 5,   ///< the device has too little memory; the message says how much is needed and how much there is
    DeviceLost = 6,    ///< the driver has lost the device; all objects of it are unusable
    Busy = 7,          ///< another thread is inside a call of the same simulation
    Outdated = 8,      ///< a field or a picture of before a reset or a change, or a handle of a simulation that no longer exists
    HostTimeout = 9,   ///< the host has not submitted commands that were recorded for it
    NotFinite = 10,    ///< a value of a field is NaN or infinite
    Unsupported = 11,  ///< this scene or this device cannot do it; the message says what can
    Validation = 12,   ///< the validation layers reported a message (DeviceOptions::validate)
    Vulkan = 13,       ///< any other error of the driver
    Internal = 14,     ///< a bug of wisp
    Output = 15,       ///< a file cannot be written
};

/// An error, or a warning, in a scene.
struct SceneProblem {
    std::string file;     ///< that was loaded, or "scene.toml" for a text; empty for a value that Scene::set or Scene::add gave
    unsigned line = 0;    ///< from 1; 0: unknown
    unsigned column = 0;  ///< from 1
    std::string key;      ///< such as "emitter[0].radius"
    std::string message;  ///< what was found and what is allowed
};

/// Every function of the library that fails throws this. After an exception nothing has changed, unless the function says otherwise.
class WISP_API Error : public std::runtime_error {
public:
    /// @param code kind of the error
    /// @param message what() of the exception
    /// @param problems of a scene
    Error(ErrorCode code, const std::string& message, std::vector<SceneProblem> problems = {});
    Error(const Error&);
    Error& operator=(const Error&);
    ~Error() override;

    [[nodiscard]] ErrorCode code() const noexcept { return code_; }  ///< kind of the error
    /// Of ErrorCode::Scene: all problems, in the order of lines. Of ErrorCode::Unsupported: the key that is the reason, if there is one.
    [[nodiscard]] const std::vector<SceneProblem>& problems() const noexcept { return problems_; }
    /// The scene key of the first problem; empty if there is none.
    [[nodiscard]] std::string key() const;

private:
    ErrorCode code_;
    std::vector<SceneProblem> problems_;
};

}  // namespace wisp

#endif
