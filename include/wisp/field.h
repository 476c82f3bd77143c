// SPDX-License-Identifier: MIT
#ifndef WISP_FIELD_H
#define WISP_FIELD_H

#include <wisp/error.h>
#include <wisp/vulkan.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wisp {

/// Where the values of a field are: the centre of value (i, j, k) is at origin + (i + 0.5, j + 0.5, k + 0.5) * cell.
struct Lattice {
    std::array<std::uint32_t, 3> size{};  ///< number of values along x, y, z; x varies fastest in memory
    std::array<float, 3> origin{};        ///< low corner [m]; it moves with a box that follows a target
    float cell = 0.0f;                    ///< edge of a cell [m]
};

/// A field of a simulation on the device, for shaders of the host. Its image changes with each step, and is a new one after a reset or a
/// change: ask for the field again. The image is always in VK_IMAGE_LAYOUT_GENERAL, and may be sampled, read and copied, but not written.
///
/// Without grid.sparse, texel (i, j, k) holds value (i, j, k) of the lattice, and the image of any field but velocity has the size of the
/// lattice: the texture coordinate of a point x is (x - origin) / (size * cell). That of velocity has one texel more along each axis, for
/// the faces on the high sides: sample it with wisp/wind.glsl. With grid.sparse the image holds bricks, see bricks().
class WISP_API Field {
public:
    [[nodiscard]] const std::string& name() const { return name_; }         ///< as Simulation::field was asked for
    [[nodiscard]] const Lattice& lattice() const { return lattice_; }       ///< of the values; see above for the image
    [[nodiscard]] std::uint32_t channel() const { return channel_; }        ///< of the image, that holds the first component
    [[nodiscard]] std::uint32_t components() const { return components_; }  ///< 1, or 3 of a vector
    [[nodiscard]] int format() const { return format_; }                    ///< VkFormat of the image

    /// The image with the field. Texel (i, j, k) of velocity holds the velocities at the centres of the low faces of cell (i, j, k): x on
    /// the face towards -x, and so on. Simulation::read interpolates these to the centre of the cell.
    /// @throws Error Outdated after a step, reset or change of the simulation.
    [[nodiscard]] VkImage image() const;
    [[nodiscard]] VkImageView view() const;  ///< of the whole image @throws as image().
    /// Of a simulation with grid.sparse: where in the image the bricks of 16^3 cells are, two 32-bit words a brick; null otherwise. See
    /// docs/library.md. @throws as image().
    [[nodiscard]] VkBuffer bricks() const;

    struct Access;

private:
    friend struct Access;
    Field() = default;
    struct Source {
        VkImage image = nullptr;
        VkImageView view = nullptr;
        VkBuffer bricks = nullptr;
    };
    [[nodiscard]] const Source& source() const;
    std::string name_;
    Lattice lattice_;
    std::uint32_t channel_ = 0, components_ = 1;
    int format_ = 0;
    Source source_;
    std::weak_ptr<const std::uint64_t> version_;  ///< of the simulation, gone with its next step
};

/// The values of a field in host memory.
struct FieldData {
    std::string name;              ///< of the field
    Lattice lattice;               ///< where the values are
    std::uint32_t components = 1;  ///< numbers of a value, next to each other
    std::vector<float> values;     ///< x fastest
};

/// The values of a field in memory of the device that other interfaces can open, such as CUDA with cuImportExternalMemory: floats at the
/// centres of cells as in FieldData. Made by Simulation::share.
class WISP_API SharedField {
public:
    ~SharedField();
    SharedField(SharedField&&) noexcept;
    SharedField& operator=(SharedField&&) noexcept;

    [[nodiscard]] const std::string& name() const;    ///< of the field
    [[nodiscard]] const Lattice& lattice() const;     ///< of the last update: a box that follows a target moves
    [[nodiscard]] std::uint32_t components() const;   ///< numbers of a value, next to each other
    [[nodiscard]] std::uint64_t bytes() const;        ///< of the values, from the start of the memory
    [[nodiscard]] std::uint64_t memoryBytes() const;  ///< of the memory, which is a dedicated allocation
    /// A new file descriptor of the memory (VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT). Who imports it owns it; else close it.
    [[nodiscard]] int openMemory() const;
    /// Writes the values after the steps so far, and waits for them. @throws Error Outdated if the simulation no longer exists.
    void update();

    struct Impl;

private:
    friend class Simulation;
    explicit SharedField(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace wisp

#endif
