// SPDX-License-Identifier: MIT
#include "engine/shader_compiler.h"

#include <fmt/format.h>
#include <shaderc/shaderc.hpp>

#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

namespace wisp::engine {

namespace {

std::optional<std::string> readText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Whether the text begins with #version, apart from white space and comments. An editor may have saved only half of the file, and shaderc
/// prints thousands of lines to stdout for an empty source.
bool beginsWithVersion(std::string_view text) {
    while (true) {
        const auto start = text.find_first_not_of(" \t\r\n");
        if (start == std::string_view::npos) return false;
        text.remove_prefix(start);
        if (text.starts_with("#version")) return true;
        if (!text.starts_with("//")) return false;
        const auto end = text.find('\n');
        if (end == std::string_view::npos) return false;
        text.remove_prefix(end);
    }
}

class Includer : public shaderc::CompileOptions::IncluderInterface {
public:
    explicit Includer(std::filesystem::path folder) : folder_(std::move(folder)) {}

    shaderc_include_result* GetInclude(const char* requested, shaderc_include_type, const char* requesting, size_t) override {
        auto include = std::make_unique<Include>();
        include->path = (folder_ / requested).string();
        std::optional<std::string> text;
        for (const std::filesystem::path& base : {folder_, std::filesystem::path(requesting).parent_path(), folder_ / ".." / "include"}) {
            include->path = (base / requested).string();
            text = readText(include->path);
            if (text) break;
        }
        include->text = text.value_or(fmt::format("{} was not found", requested));
        // An empty name tells shaderc that the text is an error message.
        if (!text) include->path.clear();
        include->result = {include->path.data(), include->path.size(), include->text.data(), include->text.size(), include.get()};
        return &include.release()->result;
    }

    void ReleaseInclude(shaderc_include_result* data) override { delete static_cast<Include*>(data->user_data); }

private:
    struct Include {
        std::string path;
        std::string text;
        shaderc_include_result result{};
    };
    std::filesystem::path folder_;
};

}  // namespace

std::vector<std::uint32_t> compileShader(const std::filesystem::path& file, const std::filesystem::path& folder) {
    const std::optional<std::string> text = readText(file);
    if (!text) throw Error(ErrorKind::Shader, fmt::format("{}: cannot be read", file.string()));
    if (!beginsWithVersion(*text)) throw Error(ErrorKind::Shader, fmt::format("{}: does not begin with #version", file.string()));

    shaderc::CompileOptions options;
    options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
    options.SetIncluder(std::make_unique<Includer>(folder));
    const shaderc::Compiler compiler;
    const auto result = compiler.CompileGlslToSpv(*text, shaderc_compute_shader, file.string().c_str(), options);
    if (result.GetCompilationStatus() != shaderc_compilation_status_success) throw Error(ErrorKind::Shader, result.GetErrorMessage());
    return {result.begin(), result.end()};
}

}  // namespace wisp::engine
