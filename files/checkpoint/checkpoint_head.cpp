// SPDX-License-Identifier: MIT
#include "files/checkpoint/checkpoint_head.h"

#include "files/base/json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace wisp {
namespace {

constexpr std::size_t kMaxFields = 16, kMaxHeld = kMaxObstacles;
constexpr std::uint32_t kMaxEdge = 1u << 15;  // [texels] keeps the size of a field far below 2^64 bytes
constexpr double kMaxNumber = 1e12;           // limit of times [s] and positions [m], so that results computed from them stay finite

std::uint64_t texelBytes(std::string_view format) {
    constexpr std::pair<std::string_view, std::uint64_t> kFormats[] = {{"r16f", 2}, {"rg16f", 4}, {"rgba16f", 8},
                                                                       {"r32f", 4}, {"rg32f", 8}, {"rgba32f", 16}};
    for (const auto& [name, bytes] : kFormats)
        if (name == format) return bytes;
    return 0;
}

Json listOf(glm::vec3 v) { return {v.x, v.y, v.z}; }

Json fieldsOf(const std::vector<StoredField>& fields) {
    Json list = Json::array();
    for (const StoredField& f : fields) list.push_back({{"name", f.name}, {"size", {f.size.x, f.size.y, f.size.z}}, {"format", f.format}});
    return list;
}

Json cyclesOf(const CyclePlan& plan) {
    Json traced = Json::array();
    for (const CyclePlan::Solve& s : plan.traced()) {
        Json residuals = Json::array();
        for (const double r : *s.residuals) residuals.push_back(r < kMaxNumber ? r : kMaxNumber);  // JSON has no NaN
        traced.push_back({{"step", s.step}, {"residuals", residuals}});
    }
    return {{"cycles", plan.cycles()}, {"traced", traced}};
}

Json slotsOf(const SlotPlan& plan) {
    Json uses = Json::array();
    for (const SlotPlan::Use& u : plan.uses()) uses.push_back({{"step", u.step}, {"flow", u.used->flow}, {"smoke", u.used->smoke}});
    return {{"flow", plan.slots().flow}, {"smoke", plan.slots().smoke}, {"uses", uses}};
}

Json runOf(const RunState& s) {
    Json overrides = Json::array();
    for (const auto& [obstacle, motion] : s.overrides)
        overrides.push_back({{"obstacle", obstacle}, {"from", listOf(motion.from)}, {"to", listOf(motion.to)}});
    return {{"steps", s.steps},
            {"time_before", s.timeBefore},
            {"steps_before", s.stepsBefore},
            {"velocity_decay", s.velocityDecay.due()},
            {"density_decay", s.densityDecay.due()},
            {"pose_time", s.poseTime},
            {"pose_motion", s.poseMotion},
            {"exact", s.exact},
            {"followed", {s.followed.x, s.followed.y, s.followed.z}},
            {"held", overrides},
            {"slots", slotsOf(s.slots)},
            {"cycles", cyclesOf(s.cycles)}};
}

Json listOf(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

Json strokeOf(const BrushStroke& s) {
    Json stroke = {{"from", listOf(s.from)},       {"to", listOf(s.to)}, {"radius", s.radius},         {"density", s.density},
                   {"temperature", s.temperature}, {"fuel", s.fuel},     {"colour", listOf(s.colour)}, {"force", s.force}};
    if (s.velocity) stroke["velocity"] = listOf(*s.velocity);
    return stroke;
}

Json hostOf(const HostInput& host) {
    Json obstacles = Json::array(), emitters = Json::array(), strokes = Json::array();
    for (const auto& [n, moved] : host.obstacles) {
        Json o = {{"obstacle", n}, {"at", listOf(moved.at)}, {"velocity", listOf(moved.velocity)}};
        if (moved.goal) o["goal"] = listOf(*moved.goal);
        obstacles.push_back(std::move(o));
    }
    for (const auto& [n, moved] : host.emitters) {
        Json e = {{"emitter", n}};
        if (moved.at) e["at"] = listOf(*moved.at);
        if (moved.velocity) e["velocity"] = listOf(*moved.velocity);
        emitters.push_back(std::move(e));
    }
    for (const BrushStroke& s : host.strokes) strokes.push_back(strokeOf(s));
    Json table = {{"obstacles", std::move(obstacles)}, {"emitters", std::move(emitters)}, {"strokes", std::move(strokes)}};
    if (host.target) table["target"] = listOf(*host.target);
    return table;
}

Json temporalOf(const TemporalState& s) {
    return {
        {"pictures", s.pictures}, {"eye", listOf(s.eye)}, {"right", listOf(s.right)}, {"up", listOf(s.up)}, {"forward", listOf(s.forward)}};
}

[[noreturn]] void wrong(std::string_view key) { throw std::runtime_error(fmt::format("\"{}\" is missing or wrong", key)); }

const Json& at(const Json& table, std::string_view key) {
    if (!table.is_object() || !table.contains(key)) wrong(key);
    return table[key];
}

std::string word(const Json& table, std::string_view key) {
    const Json& value = at(table, key);
    if (!value.is_string()) wrong(key);
    return value.get<std::string>();
}

std::uint64_t count(const Json& table, std::string_view key) {
    const Json& value = at(table, key);
    if (!value.is_number_unsigned()) wrong(key);
    return value.get<std::uint64_t>();
}

double number(const Json& value, std::string_view key, double most = kMaxNumber) {
    if (!value.is_number() || !(std::abs(value.get<double>()) <= most)) wrong(key);
    return value.get<double>();
}

/// A time or a rate, which must not be negative.
double amount(const Json& table, std::string_view key) {
    const double value = number(at(table, key), key);
    if (value < 0.0) wrong(key);
    return value;
}

const Json& list(const Json& table, std::string_view key, std::size_t most) {
    const Json& value = at(table, key);
    if (!value.is_array() || value.size() > most) wrong(key);
    return value;
}

glm::vec3 vector(const Json& table, std::string_view key, double most = kMaxNumber) {
    const Json& values = list(table, key, 3);
    if (values.size() != 3) wrong(key);
    return {number(values[0], key, most), number(values[1], key, most), number(values[2], key, most)};
}

// A host may give every finite number.
constexpr double kMaxOfHost = std::numeric_limits<float>::max();

std::optional<glm::vec3> vectorIfGiven(const Json& table, std::string_view key) {
    return table.contains(key) ? std::optional(vector(table, key, kMaxOfHost)) : std::nullopt;
}

StoredField fieldFrom(const Json& table) {
    StoredField f{.name = word(table, "name"), .format = word(table, "format")};
    const Json& size = list(table, "size", 3);
    for (glm::length_t i = 0; i < 3; ++i) {
        if (size.size() != 3 || !size[static_cast<std::size_t>(i)].is_number_unsigned()) wrong("size");
        const auto edge = size[static_cast<std::size_t>(i)].get<std::uint64_t>();
        if (edge < 1 || edge > kMaxEdge) wrong("size");
        f.size[i] = static_cast<std::uint32_t>(edge);
    }
    if (f.rowBytes() == 0) wrong("format");
    return f;
}

CyclePlan cyclesFrom(const Json& table) {
    const std::uint64_t cycles = count(table, "cycles");
    if (cycles < 1 || cycles > CyclePlan::kMax) wrong("cycles");
    std::vector<CyclePlan::Solve> traced;
    for (const Json& solve : list(table, "traced", CyclePlan::kDelay / CyclePlan::kPeriod + 1)) {
        Residuals residuals;
        for (const Json& r : list(solve, "residuals", CyclePlan::kMax + 1)) residuals.push_back(number(r, "residuals"));
        traced.push_back({count(solve, "step"), std::make_shared<Residuals>(std::move(residuals))});
    }
    return {static_cast<std::uint32_t>(cycles), std::move(traced)};
}

SlotCounts slotCounts(const Json& table) {
    const std::uint64_t flow = count(table, "flow"), smoke = count(table, "smoke");
    constexpr std::uint64_t kMost = 1u << 24;  // keeps sizes of fields far below 2^64 bytes
    if (flow > kMost) wrong("flow");
    if (smoke > kMost) wrong("smoke");
    return {static_cast<std::uint32_t>(flow), static_cast<std::uint32_t>(smoke)};
}

SlotPlan slotsFrom(const Json& table) {
    std::vector<SlotPlan::Use> uses;
    for (const Json& use : list(table, "uses", SlotPlan::kDelay / SlotPlan::kPeriod + 1))
        uses.push_back({count(use, "step"), std::make_shared<SlotCounts>(slotCounts(use))});
    return {slotCounts(table), std::move(uses)};
}

RunState runFrom(const Json& table) {
    RunState s;
    s.steps = count(table, "steps");
    s.timeBefore = amount(table, "time_before");
    s.stepsBefore = count(table, "steps_before");
    if (s.stepsBefore > s.steps) wrong("steps_before");
    s.velocityDecay = Decay(amount(table, "velocity_decay"));
    s.densityDecay = Decay(amount(table, "density_decay"));
    s.poseTime = amount(table, "pose_time");
    s.poseMotion = amount(table, "pose_motion");
    if (table.contains("exact")) {  // missing in files of older versions
        if (!table["exact"].is_boolean()) wrong("exact");
        s.exact = table["exact"].get<bool>();
    }
    if (table.contains("followed")) {
        const Json& followed = list(table, "followed", 3);
        for (std::size_t i = 0; i < 3; ++i) {
            if (followed.size() != 3 || !followed[i].is_number_integer() || std::abs(followed[i].get<double>()) > kMaxNumber)
                wrong("followed");
            s.followed[static_cast<glm::length_t>(i)] = followed[i].get<std::int64_t>();
        }
    }
    if (table.contains("slots")) s.slots = slotsFrom(table["slots"]);
    if (table.contains("cycles")) s.cycles = cyclesFrom(table["cycles"]);
    for (const Json& motion : list(table, "held", kMaxHeld))
        s.overrides[count(motion, "obstacle")] = {vector(motion, "from", kMaxOfHost), vector(motion, "to", kMaxOfHost)};
    return s;
}

BrushStroke strokeFrom(const Json& table) {
    const auto array = [](glm::vec3 v) { return std::array<float, 3>{v.x, v.y, v.z}; };
    const auto real = [&](std::string_view key, double least, double most) {
        const double value = number(at(table, key), key, most);
        if (value < least) wrong(key);
        return static_cast<float>(value);
    };
    BrushStroke s{.from = array(vector(table, "from", kMaxOfHost)),
                  .to = array(vector(table, "to", kMaxOfHost)),
                  .radius = real("radius", std::numeric_limits<float>::denorm_min(), kMaxOfHost),
                  .density = real("density", -kMaxOfHost, kMaxOfHost),
                  .temperature = real("temperature", -kMaxOfHost, kMaxOfHost),
                  .fuel = real("fuel", 0.0, 1.0),
                  .colour = array(vector(table, "colour", 1.0)),
                  .force = real("force", -kMaxOfHost, kMaxOfHost)};
    for (const float c : s.colour)
        if (c < 0.0f) wrong("colour");
    if (const auto velocity = vectorIfGiven(table, "velocity")) s.velocity = array(*velocity);
    return s;
}

HostInput hostFrom(const Json& table) {
    HostInput host;
    for (const Json& o : list(table, "obstacles", kMaxObstacles))
        host.obstacles[count(o, "obstacle")] = {vector(o, "at", kMaxOfHost), vectorIfGiven(o, "goal"), vector(o, "velocity", kMaxOfHost)};
    for (const Json& e : list(table, "emitters", kMaxEmitters))
        host.emitters[count(e, "emitter")] = {vectorIfGiven(e, "at"), vectorIfGiven(e, "velocity")};
    for (const Json& s : list(table, "strokes", kMaxSavedStrokes)) host.strokes.push_back(strokeFrom(s));
    host.target = vectorIfGiven(table, "target");
    return host;
}

TemporalState temporalFrom(const Json& table) {
    return {.pictures = count(table, "pictures"),
            .eye = vector(table, "eye"),
            .right = vector(table, "right"),
            .up = vector(table, "up"),
            .forward = vector(table, "forward")};
}

CheckpointHeader headFrom(const Json& table) {
    CheckpointHeader head;
    head.name = word(table, "name");
    head.scene = word(table, "scene");
    if (table.contains("scene_of_step")) head.sceneOfStep = word(table, "scene_of_step");
    for (const Json& mesh : list(table, "meshes", kMaxObstacles + kMaxEmitters)) {
        if (!mesh.is_number_unsigned()) wrong("meshes");
        head.meshes.push_back(mesh.get<std::uint64_t>());
    }
    head.run = runFrom(at(table, "run"));
    if (table.contains("host")) head.host = hostFrom(table["host"]);  // missing in files of older versions
    head.pictures = count(table, "pictures");
    head.stepsSincePicture = count(table, "steps_since_picture");
    if (table.contains("temporal")) head.temporal = temporalFrom(table["temporal"]);
    for (const Json& field : list(table, "fields", kMaxFields)) head.fields.push_back(fieldFrom(field));
    return head;
}

}  // namespace

std::uint64_t StoredField::rowBytes() const { return size.x * texelBytes(format); }

std::string writeHead(const CheckpointHeader& head) {
    Json table = {{"wisp", WISP_VERSION},      {"name", head.name},
                  {"scene", head.scene},       {"meshes", head.meshes},
                  {"run", runOf(head.run)},    {"host", hostOf(head.host)},
                  {"pictures", head.pictures}, {"steps_since_picture", head.stepsSincePicture}};
    if (!head.sceneOfStep.empty()) table["scene_of_step"] = head.sceneOfStep;
    if (head.temporal) table["temporal"] = temporalOf(*head.temporal);
    table["fields"] = fieldsOf(head.fields);
    return prettyJson(table);
}

std::string writeRun(const RunState& run, const HostInput& host, const std::optional<TemporalState>& temporal) {
    Json table = {{"run", runOf(run)}, {"host", hostOf(host)}};
    if (temporal) table["temporal"] = temporalOf(*temporal);
    return prettyJson(table);
}

CheckpointHeader readHead(const std::string& text) {
    try {
        return headFrom(parseJson(text));
    } catch (const Json::exception& e) {
        throw std::runtime_error(e.what());
    }
}

}  // namespace wisp
