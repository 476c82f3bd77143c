// SPDX-License-Identifier: MIT
#include "files/checkpoint/checkpoint.h"

#include "files/checkpoint/brick_hash.h"
#include "files/scene/scene_writer.h"
#include "files/scene/simulated_keys.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace wisp {
namespace {

std::vector<StateField> fieldsOf(const TemporalMean& mean) {
    const auto field = [](const char* name, const engine::Image& i) { return StateField{name, i.size(), i.desc().format, &i, nullptr}; };
    return {field("temporal mean", mean.mean()), field("temporal depth", mean.known())};
}

bool hasMean(const CheckpointedRun& run) { return run.temporal && run.temporal->state().pictures > 0; }

std::vector<StateField> fieldsOf(const CheckpointedRun& run) {
    std::vector<StateField> fields = run.simulator.fields().state();
    if (hasMean(run)) std::ranges::copy(fieldsOf(*run.temporal), std::back_inserter(fields));
    return fields;
}

std::vector<StoredField> stored(const std::vector<StateField>& fields) {
    std::vector<StoredField> list;
    for (const StateField& f : fields) list.push_back({f.name, f.size, engine::formatName(f.format)});
    return list;
}

/// Copies fields between device and host, one block at a time.
class FieldCopies {
public:
    FieldCopies(const CheckpointedRun& run, std::vector<StateField> fields)
        : fields_(std::move(fields)),
          recorder_(run.device, run.shaders, {.timing = engine::Timing::Off, .readbackBytes = kCheckpointBlock}) {}

    FetchBytes fetch() {
        return [this](std::size_t field, std::uint64_t offset, std::span<std::byte> into) {
            const auto take = [into](std::span<const std::byte> bytes) { std::ranges::copy(bytes, into.begin()); };
            const StateField& f = fields_[field];
            recorder_.begin();
            if (f.image) recorder_.read(*f.image, offset, into.size(), take);
            else recorder_.read(*f.buffer, offset, into.size(), take);
            recorder_.submit();
            recorder_.finish();
        };
    }
    void store(std::size_t field, std::uint64_t offset, std::span<const std::byte> bytes) {
        const StateField& f = fields_[field];
        recorder_.begin();
        if (f.image) recorder_.upload(*f.image, offset, bytes);
        else recorder_.upload(*f.buffer, offset, bytes);
        recorder_.submit();
    }
    void finish() { recorder_.finish(); }

private:
    std::vector<StateField> fields_;
    engine::Recorder recorder_;
};

std::optional<TemporalState> historyOf(const CheckpointedRun& run) {
    return hasMean(run) ? std::optional(run.temporal->state()) : std::nullopt;
}

/// The hash of each field: of what the next step reads.
std::vector<std::uint64_t> hashFields(const CheckpointedRun& run, const std::vector<StateField>& fields) {
    FieldCopies copies(run, fields);
    const FetchBytes fetch = copies.fetch();
    const std::vector<StoredField> all = stored(fields);
    const auto& bricks = run.simulator.fields().domain.bricks;
    std::vector<gpu::BrickSlots> slots;
    if (bricks) {
        const auto n = static_cast<std::size_t>(std::ranges::find(fields, &bricks->slots, &StateField::buffer) - fields.begin());
        std::vector<std::byte> bytes(all[n].bytes());
        fetchField(all, n, fetch, [&](std::size_t, std::uint64_t offset, auto block) { std::ranges::copy(block, bytes.begin() + offset); });
        slots.resize(bricks->count());
        std::memcpy(slots.data(), bytes.data(), slots.size() * sizeof slots[0]);
    }
    const auto hashOf = [&](std::size_t n) {
        if (!fields[n].slots) return hashField(all, n, fetch);
        BrickHash hash(*fields[n].slots, all[n], bricks->size, slots);
        fetchField(all, n, fetch, [&](std::size_t, std::uint64_t offset, auto block) { hash.add(offset, block); });
        return hash.value();
    };
    std::vector<std::uint64_t> hashes;
    for (std::size_t n = 0; n < fields.size(); ++n) hashes.push_back(hashOf(n));
    return hashes;
}

/// Whether the next step uses another scene than the last one.
bool changedSince(const CheckpointedInput& input) { return input.ofStep && simulatedText(*input.ofStep) != simulatedText(input.scene); }

[[noreturn]] void refuse(const CheckpointFile& file, const std::string& why) {
    throw Failure(Exit::Usage, fmt::format("{}: {}", file.path().string(), why));
}

}  // namespace

bool hasField(const CheckpointHeader& head, const std::string& name) {
    return std::ranges::any_of(head.fields, [&](const StoredField& f) { return f.name == name; });
}

void saveCheckpoint(const std::filesystem::path& path, const CheckpointedRun& run, const CheckpointedInput& input,
                    const FilmProgress& place) {
    const std::vector<StateField> fields = fieldsOf(run);
    const std::filesystem::path folder = path.parent_path();
    CheckpointHeader head{.name = input.scene.name,
                          .scene = writeScene(input.scene, folder),
                          .sceneOfStep = changedSince(input) ? writeScene(*input.ofStep, folder) : "",
                          .meshes = meshHashes(input.scene),
                          .run = run.simulator.state(),
                          .host = input.host,
                          .pictures = place.pictures,
                          .stepsSincePicture = place.stepsSincePicture,
                          .temporal = historyOf(run),
                          .fields = stored(fields)};
    FieldCopies copies(run, fields);
    writeCheckpoint(path, head, copies.fetch());
}

void resume(CheckpointFile& file, FluidSimulator& simulator, engine::Recorder& recorder, const CheckpointedRun& run,
            std::optional<SavedHistory>* history) {
    const CheckpointHeader& head = file.head();
    try {
        simulator.allocate(head.run);
    } catch (const std::invalid_argument&) {
        refuse(file, "its bricks do not match its scene");
    }
    std::vector<StateField> wanted = simulator.fields().state();
    std::erase_if(wanted, [&](const StateField& f) { return f.isNew && !hasField(head, f.name); });
    for (const StateField& f : wanted)
        if (!hasField(head, f.name)) refuse(file, fmt::format("has no field \"{}\", which its scene needs", f.name));
    const auto own = static_cast<std::ptrdiff_t>(wanted.size());
    const std::vector<StoredField> given(head.fields.begin(), head.fields.begin() + own),
        rest(head.fields.begin() + own, head.fields.end());
    if (given != stored(wanted) || rest.size() != (head.temporal ? 2 : 0)) refuse(file, "its fields do not match its scene");
    if (std::ranges::any_of(head.run.overrides,
                            [&](const auto& overrides) { return overrides.first >= simulator.settings().obstacles.size(); }))
        refuse(file, "it contains the motion of a dragged obstacle that does not exist in its scene");
    recorder.begin();
    simulator.resume(recorder, head.run);
    recorder.submit();
    if (run.temporal && head.temporal) {
        run.temporal->resume(*head.temporal);
        if (rest == stored(fieldsOf(*run.temporal))) std::ranges::copy(fieldsOf(*run.temporal), std::back_inserter(wanted));
        else run.temporal->restart();
    }
    if (history && !run.temporal && head.temporal)
        history->emplace(SavedHistory{*head.temporal, rest, std::vector<std::vector<std::byte>>(rest.size())});
    FieldCopies copies(run, wanted);
    file.read([&](std::size_t field, std::uint64_t offset, std::span<const std::byte> bytes) {
        if (field < wanted.size()) return copies.store(field, offset, bytes);
        if (!history || !*history) return;
        std::vector<std::byte>& texels = (*history)->texels[field - wanted.size()];
        texels.insert(texels.end(), bytes.begin(), bytes.end());
    });
    copies.finish();
}

void restoreHistory(const SavedHistory& history, const CheckpointedRun& run) {
    run.temporal->resume(history.state);
    const std::vector<StateField> fields = fieldsOf(*run.temporal);
    if (history.fields != stored(fields)) return run.temporal->restart();
    FieldCopies copies(run, fields);
    for (std::size_t n = 0; n < fields.size(); ++n) copies.store(n, 0, history.texels[n]);
    copies.finish();
}

std::vector<std::pair<std::string, std::uint64_t>> hashesOf(const CheckpointedRun& run, const CheckpointedInput& input) {
    const std::vector<StateField> fields = fieldsOf(run);
    const std::vector<std::uint64_t> hashes = hashFields(run, fields);
    std::vector<std::pair<std::string, std::uint64_t>> list;
    for (std::size_t n = 0; n < fields.size(); ++n) list.emplace_back(fields[n].name, hashes[n]);
    const std::string state = writeRun(run.simulator.state(), input.host, historyOf(run));
    std::string scene = simulatedText(input.scene);
    if (changedSince(input)) scene += "of the last step:\n" + simulatedText(*input.ofStep);
    list.emplace_back("run", XXH3_64bits(state.data(), state.size()));
    list.emplace_back("scene", XXH3_64bits(scene.data(), scene.size()));
    return list;
}

}  // namespace wisp
