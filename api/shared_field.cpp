// SPDX-License-Identifier: MIT
#include "api/guarded.h"
#include "api/simulation_impl.h"

#include <utility>

namespace wisp {

struct SharedField::Impl {
    Impl(const std::shared_ptr<Simulation::Impl>& s, const std::string& n)
        : simulation(s), device(s->device), field(s->readable(n)), name(n), lattice(s->latticeOf(field)) {
        values = engine::Buffer(device->device,
                                {.name = "shared " + n, .bytes = floatBytes(field, s->settings.grid), .byAddress = true, .shared = true});
    }
    ~Impl() {
        const std::lock_guard lock(device->mutex);
        values = {};
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void update(Simulation::Impl& s) {
        s.device->device.waitForHost();
        s.device->device.wait(s.frame([&] { recordReadField(s.recorder, s.simulator.fields(), field, values); }));
        lattice = s.latticeOf(field);
    }

    std::weak_ptr<Simulation::Impl> simulation;
    std::shared_ptr<Device::Impl> device;
    ReadableField field;
    std::string name;
    Lattice lattice;
    engine::Buffer values;
};

SharedField Simulation::share(const std::string& name) {
    return guarded([&] {
        const Call call(*impl_);
        if (!impl_->device->device.hasExtension("VK_KHR_external_memory_fd"))
            throw Error(ErrorCode::Unsupported, impl_->device->device.report().name +
                                                    ": cannot share memory: VK_KHR_external_memory_fd is not supported or not enabled");
        auto shared = std::make_unique<SharedField::Impl>(impl_, name);
        shared->update(*impl_);
        return SharedField(std::move(shared));
    });
}

SharedField::SharedField(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SharedField::~SharedField() = default;
SharedField::SharedField(SharedField&&) noexcept = default;
SharedField& SharedField::operator=(SharedField&&) noexcept = default;

const std::string& SharedField::name() const { return impl_->name; }
const Lattice& SharedField::lattice() const { return impl_->lattice; }
std::uint32_t SharedField::components() const { return impl_->field.components; }
std::uint64_t SharedField::bytes() const { return impl_->values.bytes(); }
std::uint64_t SharedField::memoryBytes() const { return impl_->values.memoryBytes(); }

int SharedField::openMemory() const {
    return guarded([&] {
        const std::lock_guard lock(impl_->device->mutex);
        return impl_->values.openMemory();
    });
}

void SharedField::update() {
    guarded([&] {
        const auto simulation = impl_->simulation.lock();
        if (!simulation) throw Error(ErrorCode::Outdated, "the simulation no longer exists");
        const Call call(*simulation);
        impl_->update(*simulation);
    });
}

}  // namespace wisp
