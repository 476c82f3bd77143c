// SPDX-License-Identifier: MIT
#include "tests/properties/draft.h"

#include "files/scene/environment_file.h"
#include "files/scene/mesh_file.h"
#include "files/scene/scene_keys.h"
#include "tests/support/source_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <type_traits>

namespace wisp::test {

const std::string kDraftFile = sourceFolder() + "/tests/fuzz/files/scene.toml";

namespace {

const std::filesystem::path kFolder = std::filesystem::path(kDraftFile).parent_path();

/// Chooses a random value for every key that it visits.
class Dice : public SceneVisitor {
public:
    Dice(std::uint64_t seed, Wildness wildness) : wildness_(wildness), random_(seed) {}
    std::vector<Entry> entries;

    bool key(const std::string& name, KeyValue value, const KeyInfo& about) override {
        const bool file = name == "file" || name == "image";
        const std::string text = std::visit([&](auto v) { return roll(v, about); }, value);
        if (file && (text.empty() || text == "\"\"")) return true;
        if (file || percent() < wildness_.given) entries.push_back({places_, name, text});
        return true;
    }
    void table(const std::string& name, const std::function<void()>& keys) override { within({name, -1}, keys); }
    void list(const std::string& name, const List& list) override {
        if (name == "probe") return;  // each probe needs the name of an output file
        const std::size_t n = percent() < 60
                                  ? 0
                                  : std::min(pick<std::size_t>({1, 1, 1, 2, 3, 5}), name == "light" ? std::size_t{4} : std::size_t{16});
        list.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            within({name, static_cast<long>(i)}, [&] {
                entries.push_back({places_, "", ""});
                list.keys(i);
            });
    }
    void fail(const std::string&, const std::string&) override {}

    int percent() { return std::uniform_int_distribution<int>(0, 99)(random_); }
    template <class T>
    T pick(std::initializer_list<T> values) {
        return values.begin()[std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(random_)];
    }

private:
    void within(const Place& place, const std::function<void()>& keys) {
        places_.push_back(place);
        keys();
        places_.pop_back();
    }
    bool edge() { return percent() < wildness_.edge; }
    bool bad() { return percent() < wildness_.bad; }
    std::string number(const KeyInfo& a) {
        if (bad())
            return pick<const char*>(
                {"nan", "inf", "-inf", "1e300", "-1e39", "3e38", "1e7", "-1e7", "\"1\"", "[1]", "true", "{a = 1}", "1979-05-27"});
        if (edge()) {
            return pick<std::string>({fmt::format("{}", a.low),
                                      fmt::format("{}", a.high),
                                      "0",
                                      "-0.0",
                                      "1",
                                      "-1",
                                      "1e-3",
                                      "1e-6",
                                      "1e-30",
                                      "1.5e-45",
                                      "-1e-30",
                                      "1e4",
                                      "-1e4",
                                      "1e6",
                                      "-1e6",
                                      "100",
                                      "0.999999",
                                      "-0.999999",
                                      "2",
                                      "4",
                                      "10",
                                      "1024",
                                      "360",
                                      "179"});
        }
        return fmt::format("{:.3g}", std::uniform_real_distribution<float>(a.low, a.high)(random_));
    }
    std::string whole(const KeyInfo& a) {
        if (bad())
            return pick<const char*>({"4294967295", "4294967296", "-1", "1.5", "nan", "9223372036854775807", "2147483648", "\"2\"", "[]"});
        if (edge())
            return pick<const char*>({"0", "1", "2", "3", "4", "8", "9", "17", "31", "1024", "4096", "4097", "16384", "10000", "1048576"});
        return fmt::format("{}", std::uniform_int_distribution<std::uint32_t>(static_cast<std::uint32_t>(a.low),
                                                                              static_cast<std::uint32_t>(a.high))(random_));
    }
    std::string roll(const bool*, const KeyInfo&) { return bad() ? "1" : pick<const char*>({"true", "false"}); }
    std::string roll(const std::uint32_t*, const KeyInfo& a) { return whole(a); }
    std::string roll(AutoNumber, const KeyInfo& a) { return percent() < 50 ? "\"auto\"" : whole(a); }
    std::string roll(const float*, const KeyInfo& a) { return number(a); }
    std::string roll(const std::string* v, const KeyInfo&) {
        if (v->empty() || v->find('.') != std::string::npos) return "\"" + *v + "\"";  // a path: only files that exist are used
        return pick<const char*>({"\"x\"", "\"\"", "'\\'", "\"\\u00e4\\n\\t\"", "\"a/b\"", "\"%s{}\""});
    }
    std::string roll(Choice v, const KeyInfo&) {
        if (bad()) return pick<const char*>({"\"nothing\"", "\"\"", "3"});
        *v.index = std::uniform_int_distribution<std::size_t>(0, v.names->size() - 1)(random_);  // other keys may depend on the value
        return "\"" + (*v.names)[*v.index] + "\"";
    }
    std::string roll(Words v, const KeyInfo&) {
        if (bad()) return pick<const char*>({"[]", "[\"nothing\"]", "3"});
        return "[\"" + (*v.names)[std::uniform_int_distribution<std::size_t>(0, v.names->size() - 1)(random_)] + "\"]";
    }
    template <class T>
    std::string roll(const std::optional<T>*, const KeyInfo& a) {
        const T any{};
        return roll(&any, a);
    }
    template <class T>
    std::string roll(const T*, const KeyInfo& a) {
        if (bad()) return pick<const char*>({"[1]", "[]", "1", "[1, 2, 3, 4]", "\"[1, 2, 3]\""});
        std::vector<std::string> parts;
        for (int i = 0; i < T::length(); ++i) parts.push_back(std::is_integral_v<typename T::value_type> ? whole(a) : number(a));
        return fmt::format("[{}]", fmt::join(parts, ", "));
    }

    Wildness wildness_;
    std::mt19937_64 random_;
    std::vector<Place> places_;
};

Draft rolled(std::uint64_t seed, Wildness wildness) {
    static const auto mesh = std::make_shared<const Mesh>(readMesh(kFolder / "cube.obj"));
    static const auto image = std::make_shared<const EnvironmentImage>(readEnvironment(kFolder / "sky.hdr"));
    Settings settings;
    settings.name = "x";
    settings.meshes = {mesh};
    Dice dice(seed, wildness);
    if (dice.percent() < 30) settings.environment.image = image;
    visitScene(dice, settings, kFolder);
    return {std::move(dice.entries)};
}

/// Visits the entries. `see` gets the path of each entry, the table header to write before it (may be empty), and the key relative to that
/// header.
template <class See>
void walk(const std::vector<Entry>& entries, See&& see) {
    std::vector<Place> last;             // of the current table header
    std::map<std::string, long> counts;  // number of elements so far of each list, by the path of the list
    std::string base;
    for (const Entry& e : entries) {
        const auto list = std::find_if(e.places.rbegin(), e.places.rend(), [](const Place& p) { return p.index >= 0; });
        const auto depth = list == e.places.rend() ? std::min<std::ptrdiff_t>(1, std::ssize(e.places)) : e.places.rend() - list;
        const std::vector<Place> places(e.places.begin(), e.places.begin() + depth);
        std::string header, names;
        if (places != last) base.clear();
        for (std::size_t n = 0; n < places.size() && places != last; ++n) {
            const Place& place = places[n];
            base += (n > 0 ? "." : "") + place.table;
            names += (n > 0 ? "." : "") + place.table;
            if (place.index < 0) continue;
            const bool same = n < last.size() && std::equal(last.begin(), last.begin() + static_cast<long>(n) + 1, places.begin());
            if (!same) header += fmt::format("[[{}]]\n", names), ++counts[base];
            base += fmt::format("[{}]", counts[base] - 1);
        }
        if (places != last && !places.empty() && places.back().index < 0) header = fmt::format("[{}]\n", names);
        last = places;
        std::string key;
        for (std::size_t n = places.size(); n < e.places.size(); ++n) key += e.places[n].table + ".";
        key += e.name;
        see(e, base + (base.empty() || key.empty() ? "" : ".") + key, header, key);
    }
}

bool lies(const std::string& path, const std::string& within) {
    return path.starts_with(within) && (path.size() == within.size() || path[within.size()] == '.' || path[within.size()] == '[');
}

}  // namespace

std::string Draft::text() const {
    std::string text;
    walk(entries, [&](const Entry& e, const std::string&, const std::string& header, const std::string& key) {
        text += header + (key.empty() ? "" : key + " = " + e.value + "\n");
    });
    return text;
}

std::vector<std::string> Draft::paths() const {
    std::vector<std::string> paths;
    walk(entries, [&](const Entry&, const std::string& path, const std::string&, const std::string&) { paths.push_back(path); });
    return paths;
}

std::map<std::string, unsigned> Draft::lines() const {
    std::map<std::string, unsigned> lines;
    unsigned line = 0;
    walk(entries, [&](const Entry&, const std::string& path, const std::string& header, const std::string& key) {
        line += static_cast<unsigned>(std::count(header.begin(), header.end(), '\n')) + (key.empty() ? 0 : 1);
        if (!key.empty()) lines[path] = line;
    });
    return lines;
}

void Draft::set(const std::string& table, const std::string& name, const std::string& value) {
    const auto inTable = [&](const Entry& e) { return e.places.size() == 1 && e.places[0].table == table; };
    const auto known = std::ranges::find_if(entries, [&](const Entry& e) { return inTable(e) && e.name == name; });
    if (known != entries.end()) known->value = value;
    else {
        const auto first = std::ranges::find_if(entries, [&](const Entry& e) { return !e.places.empty(); });
        const auto beside = std::ranges::find_if(entries, inTable);
        entries.insert(beside == entries.end() ? first : beside, {{{table, -1}}, name, value});
    }
}

Draft Draft::without(const std::string& path) const {
    Draft rest;
    const std::vector<std::string> all = paths();
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (!lies(all[i], path)) rest.entries.push_back(entries[i]);
    return rest;
}

std::ostream& operator<<(std::ostream& os, const Draft& draft) { return os << "\n" << draft.text(); }

void makeSmall(Draft& draft, std::uint64_t seed) {
    Dice dice(seed, {});
    glm::uvec3 cells{1};
    do {
        for (int i = 0; i < 3; ++i) cells[i] = dice.pick<std::uint32_t>({1, 2, 3, 4, 5, 8, 8, 9, 12, 16, 17, 31});
    } while (cells.x * cells.y * cells.z > 1024);
    const double h = dice.pick({0.0625, 0.0625, 0.0625, 0.03, 1.0, 1e-3, 100.0});
    draft.set("grid", "cells", fmt::format("[{}, {}, {}]", cells.x, cells.y, cells.z));
    draft.set("grid", "size", fmt::format("[{:.7g}, {:.7g}, {:.7g}]", cells.x * h, cells.y * h, cells.z * h));
    draft.set("pressure", "iterations", dice.pick<const char*>({"1", "2", "4", "20"}));
    draft.set("render", "size", "[16, 9]");
    // Splats: more than one work group, but few enough for a quick test.
    for (Entry& e : draft.entries)
        if (e.name == "count" && e.value.size() > 3) e.value = dice.pick<const char*>({"1", "130", "1000"});
    for (Entry& e : draft.entries)  // not wider than such a small box
        if (e.name == "side_fade") e.value = fmt::format("{:.3g}", dice.pick({0.4, 1.5, 4.0}) * h);
    std::erase_if(draft.entries, [](const Entry& e) { return e.name == "scale"; });
    for (std::size_t i = 0; i < draft.entries.size(); ++i)  // a distance grid of few voxels
        if (draft.entries[i].name == "file")
            draft.entries.insert(draft.entries.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                 {draft.entries[i].places, "scale", fmt::format("{:.3g}", 4.0 * h)});
}

rc::Gen<Draft> drafts(Wildness wildness, bool small) {
    auto gen = rc::gen::map(rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>())), [=](std::uint64_t seed) {
        Draft draft = rolled(seed, wildness);
        if (small) makeSmall(draft, seed);
        return draft;
    });
    return rc::gen::shrink(std::move(gen), [](const Draft& draft) {
        return rc::seq::map(rc::shrink::removeChunks(draft.entries), [](std::vector<Entry> entries) { return Draft{std::move(entries)}; });
    });
}

Draft accepted(Draft draft) {
    for (;;) {
        const std::vector<SceneError> errors = errorsOf(draft);
        if (errors.empty()) return draft;
        const std::size_t before = draft.entries.size();
        Draft next = draft;
        std::vector<std::string> named;
        for (const SceneError& error : errors) named.push_back(error.key);
        std::ranges::sort(named, std::greater());  // delete later elements of a list first
        for (const std::string& key : named) next = next.without(key);
        if (next.entries.size() == before)  // a default value conflicts with a given value
            for (const std::string& key : named) next = next.without(key.substr(0, key.find_first_of(".[")));
        if (next.entries.size() == before)  // the default value is in another table: a liquid needs other grid settings
            std::erase_if(next.entries, [](const Entry& e) { return e.name == "liquid"; });
        RC_ASSERT(next.entries.size() < before);
        draft = std::move(next);
    }
}

std::vector<SceneError> errorsOf(const Draft& draft) {
    try {
        (void)parseScene(draft.text(), kDraftFile);
    } catch (const SceneFailure& e) {
        return e.errors();
    }
    return {};
}

}  // namespace wisp::test
