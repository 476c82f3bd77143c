// SPDX-License-Identifier: MIT
#include "engine/device_selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>
#include <utility>

namespace wisp::engine {
namespace {

int preference(const DeviceReport& report) {
    constexpr std::array<std::string_view, 4> kOrder{"discrete", "integrated", "virtual", "cpu"};
    return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), report.type) - kOrder.begin());
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// "GPU-" in front, as nvidia-smi prints it, also allows the first digits alone, as CUDA_VISIBLE_DEVICES does. They are four or more here:
/// "GPU-0" is more likely part of a name.
std::optional<std::string> uuidIn(std::string text) {
    static const std::regex whole("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), plain("[0-9a-f]{32}"), some("[0-9a-f]{4}[0-9a-f-]*");
    const bool marked = text.starts_with("gpu-");
    if (marked) text.erase(0, 4);
    if (std::regex_match(text, plain))
        for (const std::size_t dash : {8u, 13u, 18u, 23u}) text.insert(dash, "-");
    if (std::regex_match(text, whole) || (marked && std::regex_match(text, some))) return text;
    return std::nullopt;
}

/// "0000:65:00.0" or "65:00.0". The domain may have up to eight digits: nvidia-smi prints "00000000:65:00.0".
std::optional<std::string> pciIn(const std::string& text) {
    static const std::regex form("(?:([0-9a-f]{1,8}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})\\.([0-7])");
    std::smatch m;
    if (!std::regex_match(text, m, form)) return std::nullopt;
    const auto number = [&m](std::size_t group) { return std::stoul(m[group].str(), nullptr, 16); };
    const std::string end = fmt::format("{:02x}:{:02x}.{}", number(2), number(3), m[4].str());
    return m[1].matched ? fmt::format("{:04x}:{}", number(1), end) : ":" + end;
}

std::string list(const std::vector<DeviceReport>& reports, const DeviceSelection& selection) {
    std::string text;
    for (const DeviceReport& r : reports) {
        text += fmt::format("\n  {}: {} ({}, {})", r.index, r.name, r.type, r.driver);
        if (!r.uuid.empty()) text += ", UUID " + r.uuid;
        if (!r.pci.empty()) text += ", PCI " + r.pci;
        const bool fits = selection.fits(r);
        text += fmt::format(": {}", !r.refusals.empty() ? fmt::format("{}", fmt::join(r.refusals, "; "))
                                                        : (fits ? "matches the selection" : "does not match the selection"));
    }
    return text;
}

}  // namespace

DeviceSelection::DeviceSelection(const std::string& select) : select_(lower(select)), uuid_(uuidIn(select_)), pci_(pciIn(select_)) {}

bool DeviceSelection::fits(const DeviceReport& report) const {
    if (select_.empty()) return true;
    if (uuid_) return report.uuid.starts_with(*uuid_);
    if (pci_) return report.pci.ends_with(*pci_);
    const bool isIndex = std::all_of(select_.begin(), select_.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (isIndex) return select_ == std::to_string(report.index);
    return lower(report.name).find(select_) != std::string::npos;
}

std::size_t chooseAmong(const std::vector<DeviceReport>& reports, const std::string& select) {
    const DeviceSelection selection(select);
    std::optional<std::size_t> best;
    bool several = false;
    for (std::size_t i = 0; i < reports.size(); ++i) {
        const DeviceReport& r = reports[i];
        if (!r.refusals.empty() || !selection.fits(r)) continue;
        // Two drivers may offer the same device.
        several = several || (best && (r.uuid != reports[*best].uuid || r.pci != reports[*best].pci));
        if (!best || preference(r) < preference(reports[*best])) best = i;
    }
    if (best && !(several && selection.isIdentity())) return *best;
    if (reports.empty())
        throw Error(ErrorKind::NoDevice,
                    "no Vulkan device: the loader finds none (Debian: install mesa-vulkan-drivers or the GPU's driver)");
    const std::string what = best             ? fmt::format("more than one usable Vulkan device matches \"{}\"", select)
                             : select.empty() ? "no usable Vulkan device"
                                              : fmt::format("no usable Vulkan device matches \"{}\"", select);
    throw Error(ErrorKind::NoDevice, what + "; devices found:" + list(reports, selection));
}

}  // namespace wisp::engine
