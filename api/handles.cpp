// SPDX-License-Identifier: MIT
// Obstacles and emitters that the host moves.
#include "api/handles.h"

#include "api/guarded.h"
#include "compute/scene/motion.h"

#include <fmt/format.h>

#include <cmath>

namespace wisp {
namespace {

std::array<float, 3> listOf(const glm::vec3& v) { return {v.x, v.y, v.z}; }

void requireListed(const char* list, std::size_t index, std::size_t count) {
    if (index >= count) throw Error(ErrorCode::Outdated, fmt::format("{} {} is no longer in the scene, which has {}", list, index, count));
}

/// Changes what the host sets of an emitter, from the next step on.
template <class Change>
void changeEmitter(const std::weak_ptr<void>& simulation, std::size_t index, Change&& change) {
    guarded([&] {
        const auto impl = existing(simulation);
        const Call call(*impl);
        requireListed("emitter", index, impl->settings.emitters.size());
        change(impl->fromHost.emitters);
        impl->setByHost();
    });
}

template <class Change>
auto changeObstacle(const std::weak_ptr<void>& simulation, std::size_t index, Change&& change) {
    return guarded([&] {
        const auto impl = existing(simulation);
        const Entry entry(*impl);
        requireListed("obstacle", index, impl->settings.obstacles.size());
        return change(*impl, index);
    });
}

}  // namespace

glm::vec3 vectorOf(const std::array<float, 3>& v, const char* what) {
    if (!std::isfinite(v[0]) || !std::isfinite(v[1]) || !std::isfinite(v[2]))
        throw Error(ErrorCode::Argument, fmt::format("{} is [{}, {}, {}]; must be finite", what, v[0], v[1], v[2]));
    return {v[0], v[1], v[2]};
}

void Obstacle::place(const std::array<float, 3>& centre) {
    changeObstacle(simulation_, index_, [&](Simulation::Impl& s, std::size_t n) {
        const glm::vec3 goal = vectorOf(centre, "the place of an obstacle");
        MovedObstacle& moved = s.movedObstacle(n);
        moved.goal = goal;
        moved.velocity = glm::vec3(0.0f);
    });
}

void Obstacle::velocity(const std::array<float, 3>& velocity) {
    changeObstacle(simulation_, index_, [&](Simulation::Impl& s, std::size_t n) {
        const glm::vec3 given = vectorOf(velocity, "the velocity of an obstacle");
        MovedObstacle& moved = s.movedObstacle(n);
        moved.goal.reset();
        moved.velocity = given;
    });
}

void Obstacle::release() {
    changeObstacle(simulation_, index_, [](Simulation::Impl& s, std::size_t n) { s.fromHost.obstacles.erase(n); });
}

std::array<float, 3> Obstacle::centre() const {
    return changeObstacle(simulation_, index_, [](Simulation::Impl& s, std::size_t n) { return listOf(s.centreOf(n)); });
}

std::array<float, 3> Obstacle::velocity() const {
    return changeObstacle(simulation_, index_, [](Simulation::Impl& s, std::size_t n) { return listOf(s.velocityOf(n)); });
}

void Emitter::place(const std::array<float, 3>& centre) {
    changeEmitter(simulation_, index_,
                  [this, at = vectorOf(centre, "the place of an emitter")](auto& emitters) { emitters[index_].at = at; });
}

void Emitter::velocity(const std::array<float, 3>& velocity) {
    changeEmitter(simulation_, index_,
                  [this, v = vectorOf(velocity, "the velocity of an emitter")](auto& emitters) { emitters[index_].velocity = v; });
}

void Emitter::release() {
    changeEmitter(simulation_, index_, [this](auto& emitters) { emitters.erase(index_); });
}

std::array<float, 3> Emitter::centre() const {
    return guarded([&] {
        const auto impl = existing(simulation_);
        const Entry entry(*impl);
        requireListed("emitter", index_, impl->settings.emitters.size());
        return listOf(emitterCentre(impl->settings.emitters[index_], impl->simulator.time()));
    });
}

}  // namespace wisp
