// SPDX-License-Identifier: MIT
// Random scene files. A scene is either refused, with every error at the line of its cause, or it is accepted and stays the same when it is
// written and read again.
#include "compute/scene/validate.h"
#include "files/scene/scene_writer.h"
#include "tests/properties/check.h"
#include "tests/properties/draft.h"
#include "tests/support/meaning.h"

#include <algorithm>
#include <random>

namespace wisp::test {
namespace {

/// True if a scene has one error less. List elements move up, and the next element may have the same error.
bool isFixedBy(const Draft& draft, const SceneError& error, const std::vector<SceneError>& before) {
    const std::vector<SceneError> now = errorsOf(draft);
    return now.size() < before.size() ||
           std::ranges::none_of(now, [&](const SceneError& e) { return e.key == error.key && e.message == error.message; });
}

std::string textOf(const std::vector<SceneError>& errors) {
    std::string text;
    for (const SceneError& e : errors) text += e.text() + "\n";
    return text;
}

/// The innermost list element that contains a key, or else the table of the key.
std::string elementOf(const std::string& key) {
    return key.substr(0, key.find(']') != std::string::npos ? key.rfind(']') + 1 : key.rfind('.'));
}

TEST(SceneProperties, ErrorsNameTheLineOfTheirCause) {
    checkProperty(
        [] {
            const Draft draft = *drafts({.given = 30, .edge = 20, .bad = 3}, false);
            const std::vector<SceneError> errors = errorsOf(draft);
            const auto lines = draft.lines();
            RC_CLASSIFY(errors.empty(), "accepted");
            RC_LOG() << textOf(errors);
            for (const SceneError& e : errors) {
                RC_ASSERT(e.file == kDraftFile);
                RC_ASSERT(e.line > 0 && e.column > 0 && !e.key.empty() && !e.message.empty());
                if (!lines.contains(e.key)) continue;  // a default value conflicts with a given value
                RC_ASSERT(e.line == lines.at(e.key));
                if (e.key == "grid.pressure_ratio" && e.message.find("in a scene with liquid") != std::string::npos)
                    continue;  // the default value conflicts: the scene has to set 1
                RC_ASSERT(isFixedBy(draft.without(e.key), e, errors) ||
                          isFixedBy(draft.without(elementOf(e.key)), e, errors));  // a default value can be invalid here, too
            }
            (void)accepted(draft);  // throws if removing the named keys does not make the scene valid
        },
        150);
}

/// Replaces one number: "[1, 2]" with "nan" instead of the 2.
std::string spoilt(std::string value, const std::string& bad, std::mt19937_64& random) {
    if (!value.starts_with('[')) return bad;
    const auto commas = static_cast<std::size_t>(std::count(value.begin(), value.end(), ','));
    std::size_t begin = 1;
    for (std::size_t n = random() % (commas + 1); n > 0; --n) begin = value.find(',', begin) + 2;
    return value.replace(begin, value.find_first_of(",]", begin) - begin, bad);
}

TEST(SceneProperties, OneBadValueGivesOnlyItsError) {
    checkProperty(
        [] {
            Draft draft = accepted(*drafts({.given = 40, .edge = 5}, false));
            std::mt19937_64 random(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
            std::vector<std::size_t> candidates;
            for (std::size_t i = 0; i < draft.entries.size(); ++i)
                if (const std::string& v = draft.entries[i].value;
                    !v.empty() && v != "true" && v != "false" && !v.starts_with('"') && !v.starts_with('\''))
                    candidates.push_back(i);
            RC_PRE(!candidates.empty());
            const std::size_t i = candidates[random() % candidates.size()];
            const char* const kBad[] = {"nan", "inf", "-inf", "1e39", "-1e39", "\"1\"", "true", "{}", "1979-05-27"};
            draft.entries[i].value = spoilt(draft.entries[i].value, kBad[random() % std::size(kBad)], random);
            const std::string path = draft.paths()[i];
            const std::vector<SceneError> errors = errorsOf(draft);
            RC_LOG() << path << " = " << draft.entries[i].value << "\n" << textOf(errors) << draft.text();
            RC_ASSERT(errors.size() == 1u);
            RC_ASSERT(errors[0].key == path);
            RC_ASSERT(errors[0].line == draft.lines().at(path));
        },
        150);
}

TEST(SceneProperties, WrittenScenesReadBackUnchanged) {
    checkProperty(
        [] {
            const Draft draft = accepted(*drafts({.given = 50, .edge = 20}, false));
            const Settings settings = parseScene(draft.text(), kDraftFile);
            RC_ASSERT(validate(settings).empty());
            const std::string written = writeScene(settings, std::filesystem::path(kDraftFile).parent_path());
            RC_LOG() << draft.text() << "\nwritten:\n" << written;
            const Settings read = parseScene(written, kDraftFile);
            RC_ASSERT(read.meshes.size() == settings.meshes.size());
            for (std::size_t i = 0; i < read.meshes.size(); ++i) RC_ASSERT(*read.meshes[i] == *settings.meshes[i]);
            RC_ASSERT((read.environment.image != nullptr) == (settings.environment.image != nullptr));
            RC_ASSERT(sameMeaning(settings, read));
            RC_ASSERT(writeScene(read, std::filesystem::path(kDraftFile).parent_path()) == written);
        },
        150);
}

}  // namespace
}  // namespace wisp::test
