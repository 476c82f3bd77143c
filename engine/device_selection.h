// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device_report.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wisp::engine {

/// What DeviceOptions::select means: an index, a UUID, a PCI address, or part of a name.
class DeviceSelection {
public:
    explicit DeviceSelection(const std::string& select);

    [[nodiscard]] bool fits(const DeviceReport& report) const;
    /// Whether it is to name one device, as a UUID and a PCI address do. A part of a name may fit several: the best one is meant.
    [[nodiscard]] bool isIdentity() const { return uuid_ || pci_; }

private:
    std::string select_;
    std::optional<std::string> uuid_;  ///< as DeviceReport::uuid, or its beginning
    std::optional<std::string> pci_;   ///< as DeviceReport::pci, or its end without the domain
};

/// The index in `reports` of the best usable device that matches `select`.
/// @throws Error NoDevice that lists every device and why it was rejected, also if a UUID or PCI address fits several devices.
std::size_t chooseAmong(const std::vector<DeviceReport>& reports, const std::string& select);

}  // namespace wisp::engine
