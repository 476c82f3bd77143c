// SPDX-License-Identifier: MIT
#include "shared_field.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

namespace wisp::python {
namespace {

// The structs of DLPack 0.8, which all packages read.
constexpr int kCpu = 1, kCuda = 2;  // DLDeviceType
struct Tensor {
    void* data;
    struct {
        std::int32_t kind, number;
    } device;
    std::int32_t dimensions;
    struct {
        std::uint8_t code, bits;
        std::uint16_t lanes;
    } type;
    std::int64_t *shape, *strides;
    std::uint64_t offset;
};
struct ManagedTensor {
    Tensor tensor;
    void* owner;
    void (*deleter)(ManagedTensor*);
};
constexpr const char* kCapsule = "dltensor";  // a consumer renames it, and then calls the deleter itself

/// A tensor and what it refers to.
struct Owner {
    ManagedTensor managed{};
    std::shared_ptr<FieldMemory> memory;
    std::vector<std::int64_t> shape, strides;
};

void deleteCapsule(PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, kCapsule) == 0) return;
    auto* const managed = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule, kCapsule));
    managed->deleter(managed);
}

}  // namespace

ExportedField::ExportedField(SharedSimulation& simulation, const SharedDevice& device, const std::string& name, bool onCuda)
    : name_(name), memory_(std::make_shared<FieldMemory>()), process_(getpid()) {
    const DeviceUuid uuid = device.get().uuid();
    simulation.call([&](Simulation& s) {
        const Lattice lattice = s.lattice(name);
        shape_ = shapeOf(lattice, s.components(name));
        count_ = 1;
        for (const std::size_t n : shape_) count_ *= n;
        if (!onCuda) {
            memory_->host.reset(new float[count_]);
            s.read(name, memory_->host.get(), count_);
            return;
        }
        memory_->device = cudaDevice(uuid);  // before it takes memory
        shared_.emplace(s.share(name));
        memory_->cuda = std::make_unique<CudaMemory>(memory_->device, shared_->openMemory(), shared_->memoryBytes(), shared_->bytes());
    });
}

ExportedField::~ExportedField() {
    if (process_ != getpid() && shared_) new SharedField(std::move(*shared_));  // its device belongs to the other process: never freed
}

void ExportedField::update(SharedSimulation& simulation) {
    simulation.call([&](Simulation& s) {
        if (shared_) shared_->update();
        else s.read(name_, memory_->host.get(), count_);
    });
}

nb::object ExportedField::capsule() const {
    auto owner = std::make_unique<Owner>();
    owner->memory = memory_;
    owner->shape.assign(shape_.begin(), shape_.end());
    owner->strides.assign(shape_.size(), 1);
    for (std::size_t n = shape_.size() - 1; n > 0; --n) owner->strides[n - 1] = owner->strides[n] * owner->shape[n];
    constexpr std::uint8_t kFloat = 2;  // DLDataTypeCode
    owner->managed = {.tensor = {.data = memory_->data(),
                                 .device = {memory_->cuda ? kCuda : kCpu, memory_->device},
                                 .dimensions = static_cast<std::int32_t>(shape_.size()),
                                 .type = {kFloat, 32, 1},
                                 .shape = owner->shape.data(),
                                 .strides = owner->strides.data(),
                                 .offset = 0},
                      .owner = owner.get(),
                      .deleter = [](ManagedTensor* managed) { delete static_cast<Owner*>(managed->owner); }};
    PyObject* const capsule = PyCapsule_New(&owner->managed, kCapsule, &deleteCapsule);
    if (!capsule) throw nb::python_error();
    (void)owner.release();
    return nb::steal(capsule);
}

nb::tuple ExportedField::device() const { return nb::make_tuple(memory_->cuda ? kCuda : kCpu, memory_->device); }

void bindSharedField(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<ExportedField>(m, "ExportedField")
        .def(nb::init<SharedSimulation&, const SharedDevice&, const std::string&, bool>(), "simulation"_a, "device"_a, "name"_a,
             "on_cuda"_a)
        .def("update", &ExportedField::update, "simulation"_a)
        .def("capsule", &ExportedField::capsule)
        .def_prop_ro("device", &ExportedField::device)
        .def_prop_ro("shape", [](const ExportedField& f) { return nb::tuple(nb::cast(f.shape())); });
}

}  // namespace wisp::python
