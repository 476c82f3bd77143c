// SPDX-License-Identifier: MIT
#pragma once

#include "cuda.h"
#include "simulation.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wisp::python {

/// Memory of a field for DLPack: of CUDA, or of the host.
struct FieldMemory {
    std::unique_ptr<CudaMemory> cuda;  ///< null: host
    std::unique_ptr<float[]> host;
    int device = 0;  ///< number of CUDA's device
    [[nodiscard]] void* data() const { return cuda ? cuda->data() : host.get(); }
};

/// A field in memory that other packages can use without a copy. The memory lives as long as this object, or an array that was made of it.
class ExportedField {
public:
    /// @param onCuda memory of CUDA, or else of the host. @throws Error Unsupported with the reason.
    ExportedField(SharedSimulation& simulation, const SharedDevice& device, const std::string& name, bool onCuda);
    ~ExportedField();
    ExportedField(const ExportedField&) = delete;
    ExportedField& operator=(const ExportedField&) = delete;

    /// Writes the values after the steps so far, and waits for them.
    void update(SharedSimulation& simulation);
    /// A capsule "dltensor", see https://dmlc.github.io/dlpack.
    [[nodiscard]] nb::object capsule() const;
    /// Kind and number as in DLPack's DLDevice.
    [[nodiscard]] nb::tuple device() const;
    [[nodiscard]] const std::vector<std::size_t>& shape() const { return shape_; }

private:
    std::string name_;
    std::vector<std::size_t> shape_;
    std::size_t count_ = 0;              ///< of floats
    std::optional<SharedField> shared_;  ///< of CUDA
    std::shared_ptr<FieldMemory> memory_;
    long process_;  ///< that made it
};

}  // namespace wisp::python
