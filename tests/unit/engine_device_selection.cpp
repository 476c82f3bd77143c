// SPDX-License-Identifier: MIT
// Which device --device and DeviceOptions::select mean, of lists of devices that no test machine has.
#include "engine/device_selection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace wisp::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kFirst = "8a3f0c12-5d67-4e89-a0b1-c2d3e4f50617";
constexpr const char* kSecond = "8a3f0c13-5d67-4e89-a0b1-c2d3e4f50617";
constexpr const char* kDigits = "00000000-1111-2222-3333-444444444444";  // without dashes, a number

DeviceReport report(std::uint32_t index, const char* name, const char* type, const char* uuid, const char* pci) {
    DeviceReport r;
    r.index = index;
    r.name = name;
    r.type = type;
    r.driver = "driver 1.0";
    r.uuid = uuid;
    r.pci = pci;
    return r;
}

/// Two equal GPUs in different domains of one bus number, an integrated one, and a software device without PCI address.
std::vector<DeviceReport> machine() {
    return {report(0, "llvmpipe", "cpu", kDigits, ""), report(1, "Big GPU-X", "discrete", kFirst, "0000:65:00.0"),
            report(2, "Big GPU-X", "discrete", kSecond, "10001:65:00.0"),
            report(3, "Small", "integrated", "11111111-5d67-4e89-a0b1-c2d3e4f50617", "0000:00:02.1")};
}

std::string refusal(const std::vector<DeviceReport>& reports, const std::string& select) {
    try {
        return "chosen: " + std::to_string(chooseAmong(reports, select));
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::NoDevice);
        return error.what();
    }
}

TEST(EngineDeviceSelection, ByUuid) {
    const std::vector<DeviceReport> all = machine();
    for (const char* form :
         {"8a3f0c13-5d67-4e89-a0b1-c2d3e4f50617", "8A3F0C13-5D67-4E89-A0B1-C2D3E4F50617", "8a3f0c135d674e89a0b1c2d3e4f50617",
          "GPU-8a3f0c13-5d67-4e89-a0b1-c2d3e4f50617", "gpu-8a3f0c135d674e89a0b1c2d3e4f50617", "GPU-8a3f0c13"})
        EXPECT_EQ(chooseAmong(all, form), 2u) << form;
    EXPECT_EQ(chooseAmong(all, "00000000111122223333444444444444"), 0u) << "32 decimal digits are no index";
}

TEST(EngineDeviceSelection, ByPciAddress) {
    const std::vector<DeviceReport> all = machine();
    for (const char* form : {"0000:65:00.0", "00000000:65:00.0", "0:65:0.0"}) EXPECT_EQ(chooseAmong(all, form), 1u) << form;
    EXPECT_EQ(chooseAmong(all, "10001:65:00.0"), 2u);
    for (const char* form : {"0000:00:02.1", "00:02.1", "0:2.1"}) EXPECT_EQ(chooseAmong(all, form), 3u) << form;
    EXPECT_THAT(refusal(all, "0000:00:02.0"), HasSubstr("no usable Vulkan device matches \"0000:00:02.0\"")) << "another function";
}

TEST(EngineDeviceSelection, ByIndexAndName) {
    const std::vector<DeviceReport> all = machine();
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(chooseAmong(all, std::to_string(i)), i);
    EXPECT_EQ(chooseAmong(all, "sMALL"), 3u);
    EXPECT_EQ(chooseAmong(all, "gpu-x"), 1u) << "the first of equal devices";
    EXPECT_EQ(chooseAmong(all, "GPU-"), 1u) << "without digits it is a part of a name";
    EXPECT_EQ(chooseAmong(all, "l"), 3u) << "the best of those with an l in their name";
    EXPECT_EQ(chooseAmong(all, ""), 1u) << "a discrete device is better than others";
}

TEST(EngineDeviceSelection, AnAmbiguousIdentityIsAnError) {
    EXPECT_THAT(refusal(machine(), "65:00.0"),
                AllOf(HasSubstr("more than one usable Vulkan device matches \"65:00.0\""),
                      HasSubstr(fmt::format("\n  1: Big GPU-X (discrete, driver 1.0), UUID {}, PCI 0000:65:00.0: matches", kFirst)),
                      HasSubstr("\n  2: Big GPU-X"), HasSubstr("PCI 0000:00:02.1: does not match")));
    EXPECT_THAT(refusal(machine(), "GPU-8a3f"), HasSubstr("more than one"));
    std::vector<DeviceReport> all = machine();
    all[1].refusals.emplace_back("too old");
    EXPECT_EQ(chooseAmong(all, "65:00.0"), 2u) << "the other one cannot be used";
    all = machine();
    all.push_back(all[1]);
    all.back().index = 4;
    EXPECT_EQ(chooseAmong(all, kFirst), 1u) << "two drivers of one device";
}

TEST(EngineDeviceSelection, AnUnknownOneListsTheDevices) {
    std::vector<DeviceReport> all = machine();
    all[1].refusals = {"too old", "too small"};
    for (const char* select : {"GPU-0123", "8a3f0c14-5d67-4e89-a0b1-c2d3e4f50617", "66:00.0", "4", "01", "8a3f0c12", "65:00", "65:00.8"})
        EXPECT_THAT(refusal(all, select),
                    AllOf(HasSubstr(fmt::format("no usable Vulkan device matches \"{}\"", select)),
                          HasSubstr("PCI 0000:65:00.0: too old; too small"),
                          HasSubstr(fmt::format("\n  0: llvmpipe (cpu, driver 1.0), UUID {}: does not match", kDigits))));
    EXPECT_THAT(refusal({all[1]}, ""), AllOf(HasSubstr("no usable Vulkan device; devices found:"), Not(HasSubstr("match"))));
    EXPECT_THAT(refusal({}, "4"), HasSubstr("the loader finds none"));
}

}  // namespace
}  // namespace wisp::engine
