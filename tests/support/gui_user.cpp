// SPDX-License-Identifier: MIT
#include "tests/support/gui_user.h"

#include "third_party/imgui_versions.h"

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace wisp::test {
namespace {

using third_party::GuiKey;
using third_party::setKey;

/// Joins glyphs to words and lines.
class Reader {
public:
    explicit Reader(const ImFont& font) : font_(font) {
        for (const ImFontGlyph& g : font.Glyphs)
            if (g.Visible) glyphs_[{g.U0, g.V0}] = &g;
    }
    std::vector<Seen> pieces;

    void read(const ImDrawList& list) {
        for (const ImDrawCmd& cmd : list.CmdBuffer) {
            last_ = nullptr;
            for (unsigned i = 0; i + 6 <= cmd.ElemCount; ++i) {
                const ImDrawIdx* const index = &list.IdxBuffer[static_cast<int>(cmd.IdxOffset + i)];
                const ImDrawVert* const v = &list.VtxBuffer[static_cast<int>(cmd.VtxOffset + index[0])];
                const auto found = glyphs_.find({v[0].uv.x, v[0].uv.y});
                // A glyph is a quadrilateral with the corners 0 1 2 and 0 2 3.
                if (found == glyphs_.end() || index[1] != index[0] + 1 || index[2] != index[0] + 2 || index[3] != index[0] ||
                    index[5] != index[0] + 3)
                    continue;
                if (v[2].uv.x == found->second->U1) letter(*found->second, v[0].pos, v[2].pos, cmd.ClipRect);
                i += 5;
            }
        }
    }

private:
    void letter(const ImFontGlyph& g, ImVec2 low, ImVec2 high, const ImVec4& clip) {
        const float x = 0.5f * (low.x + high.x), y = 0.5f * (low.y + high.y);
        if (x < clip.x || y < clip.y || x > clip.z || y > clip.w) return;
        const float scale = (high.x - low.x) / (g.X1 - g.X0), pen = low.x - g.X0 * scale, top = low.y - g.Y0 * scale,
                    advance = g.AdvanceX * scale;
        const float gap = last_ ? (pen - pen_) / (font_.FindGlyph(' ')->AdvanceX * scale) : -1.0f;
        const float spaces = std::round(gap);
        const bool goesOn = last_ && std::abs(top - top_) < 0.5f && std::abs(gap - spaces) < 0.05f && spaces >= 0.0f && spaces <= 3.0f;
        if (!goesOn) pieces.push_back({"", {pen, top}, {pen, top}});
        Seen& piece = pieces.back();
        if (goesOn) piece.text.append(static_cast<std::size_t>(spaces), ' ');
        char utf8[5];
        piece.text += ImTextCharToUtf8(utf8, g.Codepoint);
        pen_ = pen + advance;
        top_ = top;
        last_ = &g;
        piece.high = {pen_, top + font_.FontSize * scale};
    }

    const ImFont& font_;
    std::map<std::pair<float, float>, const ImFontGlyph*> glyphs_;
    const ImFontGlyph* last_ = nullptr;
    float pen_ = 0.0f, top_ = 0.0f;
};

}  // namespace

GuiUser::GuiUser(std::function<void()> draw, glm::vec2 size) : draw_(std::move(draw)) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {size.x, size.y};
    io.DeltaTime = 0.25f;
    io.MousePos = {size.x - 1.0f, size.y - 1.0f};
    third_party::prepareKeys();
    unsigned char* texels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&texels, &width, &height);
}

GuiUser::~GuiUser() { ImGui::DestroyContext(); }

void GuiUser::look(int pictures) {
    for (int i = 0; i < pictures; ++i) {
        ImGui::NewFrame();
        draw_();
        ImGui::Render();
    }
    read();
}

void GuiUser::read() {
    Reader reader(*ImGui::GetIO().Fonts->Fonts.front());
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i) reader.read(*data.CmdLists[i]);
    seen_ = std::move(reader.pieces);
}

std::string GuiUser::page() const {
    std::string all;
    for (const Seen& piece : seen_) all += piece.text + "\n";
    return all;
}

Seen GuiUser::find(const std::string& text, std::size_t n) const {
    std::size_t count = 0;
    for (const bool whole : {true, false}) {
        for (const Seen& piece : seen_)
            if (whole ? piece.text == text : piece.text.find(text) != std::string::npos)
                if (count++ == n) return piece;
        if (count > 0) break;
    }
    ADD_FAILURE() << "\"" << text << "\" is not on the screen, which shows\n" << page();
    return {"", {-1000.0f, -1000.0f}, {-1000.0f, -1000.0f}};
}

Seen GuiUser::beside(const Seen& here) const {
    const Seen* best = nullptr;
    for (const Seen& piece : seen_)
        if (piece.low.x >= here.high.x && std::abs(piece.centre().y - here.centre().y) < 8.0f && (!best || piece.low.x < best->low.x))
            best = &piece;
    if (!best) ADD_FAILURE() << "no text is to the right of \"" << here.text << "\" in\n" << page();
    return best ? *best : Seen{};
}

void GuiUser::moveTo(glm::vec2 place) {
    ImGui::GetIO().MousePos = {place.x, place.y};
    look();
}

void GuiUser::press(bool down) {
    ImGui::GetIO().MouseDown[0] = down;
    look();
}

void GuiUser::click(glm::vec2 place) {
    moveTo(place);
    press(true);
    press(false);
    look();
}

void GuiUser::drag(glm::vec2 from, glm::vec2 to) {
    moveTo(from);
    press(true);
    moveTo(to);
    press(false);
    look();
}

void GuiUser::write(glm::vec2 place, const std::string& value) {
    setKey(GuiKey::Ctrl, true);
    click(place);
    setKey(GuiKey::Ctrl, false);
    replace(value);
}

void GuiUser::replace(const std::string& text) {
    for (const bool down : {true, false}) {
        for (const GuiKey key : {GuiKey::Ctrl, GuiKey::A}) setKey(key, down);
        look();
    }
    type(text);
    enter();
}

void GuiUser::type(const std::string& text) {
    for (const char c : text) ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    look();
}

void GuiUser::enter() {
    for (const bool down : {true, false}) {
        setKey(GuiKey::Enter, down);
        look();
    }
}

void GuiUser::closeWindow(const std::string& title) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(title.c_str());
    ASSERT_NE(window, nullptr) << title;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float half = 0.5f * ImGui::GetFontSize();
    click(glm::vec2(window->Pos.x + window->Size.x - style.FramePadding.x - half, window->Pos.y + style.FramePadding.y + half));
}

}  // namespace wisp::test
