// SPDX-License-Identifier: MIT
// Every key of every kind of scene, changed while it runs: what follows is what a run has that had the value from that step on.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <sstream>

namespace wisp::test {
namespace {

struct Kind {
    const char* name;
    std::function<Scene()> scene;
};
void PrintTo(const Kind& k, std::ostream* out) { *out << k.name; }

struct Setting {
    const char* key;
    Value value;
};

/// The small scene with these keys and lists.
std::function<Scene()> with(const std::vector<Setting>& settings, const std::string& lists = {}) {
    return [=] {
        Scene scene = Scene::parse(kSmallScene + lists);
        scene.set("render.size", {48, 64});
        for (const Setting& s : settings) scene.set(s.key, s.value);
        return scene;
    };
}

constexpr const char* kSun = "[[light]]\ndirection = [-0.5, -1.0, -0.3]\nsize = 2.0\n";

constexpr const char* kLights = R"(
    [[light]]
    direction = [-0.5, -1.0, -0.3]
    size = 2.0
    [[light]]
    type = "point"
    position = [0.6, 0.5, 0.5]
    intensity = 1.0
    size = 0.05
    [[light]]
    type = "spot"
    position = [0.3, 1.5, 0.6]
    direction = [0.1, -1.0, -0.2]
    [environment]
    top = [0.1, 0.2, 0.4]
    bottom = [0.2, 0.1, 0.1]
    ground = true
    ground_radius = 2.0
)";

constexpr const char* kLiquid = R"(
    [grid]
    cells = [24, 16, 16]
    size = [0.6, 0.4, 0.4]
    pressure_ratio = 1
    [time]
    step = 0.01
    [liquid]
    look = "surface"
    [[initial]]
    shape = "box"
    min = [0.0, 0.0, 0.0]
    max = [0.25, 0.3, 0.4]
    liquid = true
    [[obstacle]]
    centre = [0.4, 0.1, 0.2]
    radius = 0.07
    [[light]]
    direction = [-0.5, -1.0, -0.3]
    [camera]
    eye = [0.3, 0.4, 1.4]
    target = [0.3, 0.15, 0.2]
)";

constexpr const char* kFlat = R"(
    [grid]
    cells = [32, 24, 1]
    size = [1.0, 0.75, 0.03125]
    pressure_ratio = 1
    [time]
    step = 0.02
    [[emitter]]
    centre = [0.3, 0.3, 0.0]
    radius = 0.1
    density = 1.0
    colour = [1.0, 0.4, 0.2]
    velocity = [0.5, 0.6, 0.0]
    [render]
    relief = 0.5
    glow = 0.3
)";

const Kind kKinds[] = {
    {"smoke", with({}, kLights)},
    {"fire", with({{"emitter[0].fuel", 0.9}, {"emitter[0].temperature", 900.0}, {"fire.flame", 4.0}, {"environment.ground", true}}, kSun)},
    {"surface", [] { return Scene::parse(kLiquid); }},
    {"flat", [] { return Scene::parse(kFlat); }},
    {"sparse", with({{"grid.cells", {32, 48, 32}}, {"grid.sparse", true}}, kSun)},
    {"wind", with({{"tracers.count", 200}, {"grass.count", 500}, {"grass.low", {0, 0, 0}}, {"grass.high", {0.8, 0, 0.8}}}, kSun)},
    {"path", with({{"render.mode", "path"}, {"render.samples", 2}}, kSun)},
    // With a range and without arrows, because limits of colours and arrows depend on the pictures before (view_limits.comp).
    {"slice", with({{"view.field", "speed"}, {"view.slice", "z"}, {"view.range", {0, 2}}})},
    {"field", with({{"view.field", "temperature"}, {"view.range", {0, 100}}})},
};

/// Another value of a key, in the syntax of TOML: a little more, the next choice. `n`: a number of the try.
std::optional<std::string> other(const SceneKey& key, int n) {
    if (key.type == SceneKey::Type::Boolean)
        return n > 0 ? std::nullopt : std::optional<std::string>(key.value == "true" ? "false" : "true");
    if (key.type == SceneKey::Type::Choice || key.type == SceneKey::Type::Choices) {
        std::vector<std::string> choices;
        for (const std::string& c : key.choices)
            if ('"' + c + '"' != key.value) choices.push_back(key.type == SceneKey::Type::Choice ? '"' + c + '"' : "[\"" + c + "\"]");
        return static_cast<std::size_t>(n) < choices.size() ? std::optional(choices[static_cast<std::size_t>(n)]) : std::nullopt;
    }
    if (key.type == SceneKey::Type::Text) return key.path == "name" && n == 0 ? std::optional<std::string>("\"other\"") : std::nullopt;
    constexpr double kShares[]{0.1, -0.1, 0.4, 1.0, -0.4};
    if (n >= static_cast<int>(std::size(kShares))) return std::nullopt;
    const bool whole = key.type == SceneKey::Type::Integer || key.type == SceneKey::Type::AutoInteger;
    std::string list = key.value;
    std::ranges::replace_if(
        list, [](char c) { return c == '[' || c == ']' || c == ',' || c == '"'; }, ' ');
    std::istringstream numbers(list);
    std::string result;
    for (std::uint32_t i = 0; i < key.count; ++i) {
        double v = 0.5 * (key.low + key.high);  // of a key that is not given, or "auto"
        numbers >> v;
        const double most = std::min(key.high - key.low, 1.0 + std::abs(v));  // a few tenths: bodies and smoke stay in sight
        v += kShares[n] * most * (i % 2 == 0 ? 1.0 : 0.6);
        if (whole) v = std::max(std::round(v), 0.0);
        result += (i > 0 ? ", " : "") + std::to_string(v).substr(0, whole ? std::to_string(v).find('.') : std::string::npos);
    }
    return key.count > 1 ? '[' + result + ']' : result;
}

using Hashes = std::map<std::string, std::uint64_t>;

template <class T>
std::uint64_t hashOf(const std::vector<T>& values) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

Renderer rendererOf(Simulation& s) { return Renderer(s, {.width = 48, .height = 64}); }

Hashes pictureOf(Renderer& renderer) {
    renderer.draw();
    return {{"radiance", hashOf(renderer.readRadiance())}, {"display", hashOf(renderer.read().rgba)}};
}

Hashes resultsOf(Simulation& simulation, Renderer& renderer) {
    Hashes all = pictureOf(renderer);
    for (const FieldHash& h : simulation.hashes()) all[h.name] = h.hash;
    return all;
}

struct Change {
    std::string key, value;
};

/// A valid scene with another value of the key; none if there is none.
std::optional<Change> changeOf(const Scene& scene, const SceneKey& key) {
    for (int n = 0;; ++n) {
        const std::optional<std::string> value = other(key, n);
        if (!value) return std::nullopt;
        try {
            Scene changed = scene;
            changed.set(key.path, Value::toml(*value)).check();
            if (changed.toml() != scene.toml()) return Change{key.path, *value};
        } catch (const Error&) {  // the next value
        }
    }
}

/// The scene with those changes that are possible together.
Scene changed(const Scene& scene, std::span<const Change> changes) {
    Scene result = scene;
    for (const Change& change : changes) {
        const Scene before = result;
        try {
            result.set(change.key, Value::toml(change.value)).check();
        } catch (const Error&) {
            result = before;
        }
    }
    return result;
}

/// Names of the results in which `a` differs from `b`.
std::vector<std::string> differ(const Hashes& a, const Hashes& b) {
    std::vector<std::string> names;
    for (const auto& [name, hash] : b)
        if (!a.contains(name) || a.at(name) != hash) names.push_back(name);
    return names;
}

class EveryKey : public testing::TestWithParam<Kind> {
protected:
    /// What differs between the pictures of a renderer that follows the run and of a new one.
    std::vector<std::string> pictureDifferences() {
        const Hashes followed = pictureOf(*renderer);
        Renderer another = rendererOf(*run);
        return differ(followed, pictureOf(another));
    }
    /// What differs between a run that changes, with its renderer, and one that has had the other scene from that step on.
    std::vector<std::string> differences(const Scene& other) {
        run->save(checkpoint());
        run->change(other);
        run->step();
        Hashes after;
        try {
            after = resultsOf(*run, *renderer);
        } catch (const Error& e) {  // keys that no picture can have together
            run->change(scene);
            return {e.what()};
        }
        run->change(scene);
        if (other.get("render.temporal") == "true") return {};  // this picture contains the one before the step
        Simulation fresh = Simulation::resume(device(), checkpoint(), other);
        fresh.step();
        Renderer itsOwn = rendererOf(fresh);
        return differ(after, resultsOf(fresh, itsOwn));
    }
    [[nodiscard]] std::string checkpoint() const { return (folder.path() / "run.checkpoint").string(); }
    ScratchFolder folder;
    Scene scene;
    std::optional<Simulation> run;
    std::optional<Renderer> renderer;
};

TEST_P(EveryKey, ChangedInARunIsAsFromThatStepOn) {
    scene = GetParam().scene();
    run.emplace(device(), scene);
    run->step(5);
    renderer.emplace(rendererOf(*run));
    (void)pictureOf(*renderer);
    ASSERT_THAT(differences(scene), testing::IsEmpty());
    std::vector<Change> changes;
    std::vector<std::string> fixed;
    for (const SceneKey& key : scene.keys()) {
        const std::optional<Change> change = changeOf(scene, key);
        if (!change) continue;
        try {
            run->change(changed(scene, std::span(&*change, 1)));
            changes.push_back(*change);
            // One by one, because a renderer that one of several keys makes anew would hide what the others need.
            EXPECT_THAT(pictureDifferences(), testing::IsEmpty()) << change->key << " = " << change->value;
        } catch (const Error& e) {
            if (e.code() != ErrorCode::Unsupported) throw;
            EXPECT_THAT(key.path, testing::StartsWith(e.problems().at(0).key));
            fixed.push_back(key.path);
        }
        run->change(scene);
    }
    ASSERT_THAT(differences(scene), testing::IsEmpty());
    RecordProperty("fixed", testing::PrintToString(fixed));
    EXPECT_GT(changes.size(), 100u) << "most keys have another value, and can change";
    constexpr std::size_t kTogether = 12;
    for (std::size_t i = 0; i < changes.size(); i += kTogether) {
        const std::span group = std::span(changes).subspan(i, std::min(kTogether, changes.size() - i));
        if (differences(changed(scene, group)).empty()) continue;
        for (const Change& change : group)
            EXPECT_THAT(differences(changed(scene, std::span(&change, 1))), testing::IsEmpty()) << change.key << " = " << change.value;
    }
}
INSTANTIATE_TEST_SUITE_P(Kinds, EveryKey, testing::ValuesIn(kKinds), [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace wisp::test
