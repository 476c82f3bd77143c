// SPDX-License-Identifier: MIT
// Command lines, one argument per line, up to the point where the command would run, and the resulting scene.
#include "app/cli/command_line.h"
#include "api/scene_impl.h"
#include "app/bench/sweep.h"
#include "app/wedge/axes.h"
#include "tests/fuzz/support/input.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

using namespace wisp;

namespace {

constexpr const char* kScene = "[grid]\ncells = [8, 8, 8]\nsize = [1, 1, 1]\n[[emitter]]\nradius = 0.1\n[[light]]\n";
constexpr const char* kFile = WISP_FUZZ_FILES "/scene.toml";

void apply(const app::CommonOptions& common) {
    (void)findScene(common.scene);
    (void)parseScene(kScene, kFile, optionsOf(common.load));
}

void sweep(const app::BenchOptions& options) {
    const glm::uvec3 n = parseScene(kScene, kFile).grid.cells;
    const app::Cells unswept{n.x, n.y, n.z};
    const app::Sweep sweep = app::parseSweep(options.sweep);
    for (const std::string& value : sweep.values)
        (void)parseScene(kScene, kFile, optionsOf(app::sweptOptions(options.common.load, sweep, value, unswept)));
}

void wedge(const app::WedgeOptions& options) {
    const std::vector<app::KeyValues> axes = app::wedgeAxes(options.setEach);
    const std::size_t count = app::memberCount(axes);
    fuzz::require(count >= 1 && count <= app::kMaxMembers, "a wedge has no or too many members");
    for (const std::size_t n : {std::size_t{0}, count - 1})
        for (const std::string& value : app::valuesOfMember(axes, n)) fuzz::require(!value.empty(), "a value of a wedge is empty");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> words{"wisp"};
    for (std::string_view rest = fuzz::textOf({data, size}); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    try {
        const app::CommandLine line = app::parseCommandLine(static_cast<int>(words.size()), arguments.data());
        std::visit(
            [](const auto& command) {
                using Command = std::decay_t<decltype(command)>;
                if constexpr (requires { command.common; }) apply(command.common);
                if constexpr (requires { command.run; }) apply(command.run.common);
                if constexpr (requires { command.setEach; }) {
                    apply(command.render.common);
                    wedge(command);
                }
                if constexpr (std::is_same_v<Command, app::RenderOptions>) {
                    fuzz::require(command.frames.size() >= 1 && command.frames.size() <= app::kMaxFrames && command.fps >= 0.1 &&
                                      command.fps <= 1000.0,
                                  "--frames or --fps out of range");
                    fuzz::require(!command.stepsPerFrame || *command.stepsPerFrame >= 1, "--steps-per-frame out of range");
                }
                if constexpr (std::is_same_v<Command, app::BenchOptions>) {
                    fuzz::require(command.steps >= 1 && command.threshold >= 0.0, "--steps or --threshold out of range");
                    if (!command.sweep.empty()) sweep(command);
                }
                if constexpr (std::is_same_v<Command, app::Answer>)
                    fuzz::require(command.status == Exit::Done || !command.err.empty(), "a command line is rejected without a reason");
            },
            line.command);
    } catch (const Failure& e) {
        fuzz::require(e.status() == Exit::Usage, e.what());
    } catch (const Error& e) {
        fuzz::require(e.code() == ErrorCode::Argument || e.code() == ErrorCode::Scene, e.what());
    }
    return 0;
}
