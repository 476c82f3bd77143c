// SPDX-License-Identifier: MIT
// What the commands of the program have in common: groups of options, and what becomes of them.
#pragma once

#include "app/base/log.h"
#include "app/bench/options.h"
#include "app/job/job.h"
#include "app/run/options.h"
#include "app/wedge/options.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wisp::app {

/// Raw values from the parser. They are converted to options after parsing.
struct Arguments {
    std::string scene = "smoke";
    std::vector<std::string> sets;
    std::string preset;
    std::string quality = "standard";
    std::string size;
    std::string frames = "240";
    std::size_t cacheEvery = 24;
    std::string view;
    std::string slice;
    std::string range;
    std::string arrows;
    std::string up = "y", fromUp = "y", fromTemperature;
    bool noPicture = false;
    std::optional<std::uint32_t> seed, samples;
    std::optional<double> error;
    std::string resume;
    DeviceOptions device;
    LogLevel logLevel = LogLevel::Normal;
    ProgressStyle progress = ProgressStyle::Auto;
    bool json = false;
    RenderOptions render;
    BenchOptions bench;
    ProfileOptions profile;
    WedgeOptions wedge;
    JobOptions job;
};

/// As CLI::Range, which accepts "nan", because every comparison with NaN is false.
CLI::Validator finiteRange(double low, double high);

constexpr const char* kDeviceVariable = "WISP_DEVICE";  ///< environment variable: the default of --device

enum class Runs { No, Yes };

void addScene(CLI::App* command, Arguments& a, Runs runs = Runs::Yes);
void addDevice(CLI::App* command, Arguments& a);
void addProgress(CLI::App* command, Arguments& a);  ///< of a command that takes long
void addResume(CLI::App* command, Arguments& a, const std::string& more = "");
void addView(CLI::App* command, Arguments& a);  ///< options that are short forms of scene keys
void addVolumes(CLI::App& command, Arguments& a);

/// The option --`name` or the argument `name`. CLI::App::get_option and count allocate memory and let no exception pass.
CLI::Option* optionNamed(CLI::App& command, std::string_view name);
bool isGiven(CLI::App& command, std::string_view option);

/// Of a command with addScene and addDevice, after parsing. @throws Failure Usage.
CommonOptions commonOptions(CLI::App& command, const Arguments& a);

/// --fps and --steps-per-frame.
void addTimes(CLI::App* command, Arguments& a);
ProgressStyle progressStyle(const Arguments& a);     ///< after parsing @throws Failure Usage
std::string deviceOfEnvironment(CLI::App& command);  ///< value of WISP_DEVICE, if it selects the device of this command; or empty

/// All options of render. Runs::No: without --quality auto.
void addFilm(CLI::App* command, Arguments& a, Runs measures);
CLI::App* addRender(CLI::App& app, Arguments& a);
CLI::App* addWedge(CLI::App& app, Arguments& a);
WedgeOptions wedgeOptions(CLI::App& command, const Arguments& a);    ///< after parsing @throws Failure Usage
RenderOptions renderOptions(CLI::App& command, const Arguments& a);  ///< after parsing @throws Failure Usage
CLI::App* addSim(CLI::App& app, Arguments& a);
SimOptions simOptions(CLI::App& command, const Arguments& a);  ///< after parsing @throws Failure Usage
CLI::App* addJob(CLI::App& app, Arguments& a);
JobOptions jobOptions(CLI::App& command, const Arguments& a);  ///< after parsing @throws Failure Usage

}  // namespace wisp::app
