// SPDX-License-Identifier: MIT
// A program with its own Vulkan device and renderer, in whose pictures wisp puts smoke. See docs/library.md.
#include "gpu.h"
#include "pictures.h"
#include "window.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

constexpr const char* kUsage =
    "usage: host --frames N --out picture_%03d.png [--size WxH] [--skip STEPS] [--validate]\n"
    "       host --window [--seconds S] [--size WxH] [--skip STEPS] [--validate]\n"
    "  --frames N    draws N pictures without a window, one every 1/60 s\n"
    "  --out FILE    PNG files, with a place for the number\n"
    "  --window      shows the smoke in a window, for S seconds or until it is closed\n"
    "  --size WxH    pixels (960x540)\n"
    "  --skip STEPS  steps of the smoke before the first picture (0)\n"
    "  --validate    enables the validation layer; any message is an error\n";

struct Options {
    std::uint32_t frames = 0, skip = 0;
    std::string out;
    bool window = false, validate = false, help = false;
    double seconds = 0.0;
    VkExtent2D size{960, 540};
};

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message + "\n" + kUsage); }

template <class Number>
Number numberIn(const char* option, std::string_view text, Number least, Number most) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
        refuse(std::string(option) + " is \"" + std::string(text) + "\"; must be a number from " + std::to_string(least) + " to " +
               std::to_string(most));
    return value;
}

VkExtent2D sizeIn(std::string_view text) {
    const std::size_t x = text.find('x');
    if (x == std::string_view::npos) refuse("--size is \"" + std::string(text) + "\"; must be such as 960x540");
    return {numberIn("--size", text.substr(0, x), 1u, 16384u), numberIn("--size", text.substr(x + 1), 1u, 16384u)};
}

Options optionsIn(int argc, char** argv) {
    Options o;
    for (int n = 1; n < argc; ++n) {
        const std::string name = argv[n];
        const auto value = [&] {
            if (++n == argc) refuse(name + " needs a value");
            return std::string(argv[n]);
        };
        if (name == "--frames") o.frames = numberIn("--frames", value(), 1u, 1000000u);
        else if (name == "--out") o.out = value();
        else if (name == "--window") o.window = true;
        else if (name == "--seconds") o.seconds = numberIn("--seconds", value(), 0.001, 1e6);
        else if (name == "--size") o.size = sizeIn(value());
        else if (name == "--skip") o.skip = numberIn("--skip", value(), 0u, 1000000u);
        else if (name == "--validate") o.validate = true;
        else if (name == "--help") o.help = true;
        else refuse("unknown option " + name);
    }
    if (o.help) return o;
    if (o.window == (o.frames > 0)) refuse("give either --window or --frames");
    if (!o.window && o.out.empty()) refuse("--frames needs --out");
    if (o.window && !o.out.empty()) refuse("--out is for --frames");
    if (!o.window && o.seconds > 0.0) refuse("--seconds is for --window");
    return o;
}

void show(const Options& o, Messages* messages) {
    std::optional<Window> window;
    if (o.window) window.emplace(o.size);
    GpuOptions wanted = window ? window->needs() : GpuOptions{};
    wanted.messages = messages;
    Gpu gpu(wanted);
    std::printf("%s\n", gpu.name().c_str());
    std::fflush(stdout);
    if (window) std::printf("%llu pictures\n", static_cast<unsigned long long>(window->run(gpu, o.seconds, o.skip)));
    else drawPictures(gpu, o.size, o.frames, o.skip, o.out);
}

void run(const Options& o) {
    Messages messages;
    show(o, o.validate ? &messages : nullptr);
    messages.throwIfAny();
}

}  // namespace

int main(int argc, char** argv) try {
    const Options options = optionsIn(argc, argv);
    if (options.help) std::fputs(kUsage, stdout);
    else run(options);
    return 0;
} catch (const std::exception& e) {  // also wisp::Error
    std::fprintf(stderr, "host: %s\n", e.what());
    return 1;
}
