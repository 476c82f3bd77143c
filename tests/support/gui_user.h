// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>

#include <functional>
#include <string>
#include <vector>

namespace wisp::test {

/// A word or a line on the screen.
struct Seen {
    std::string text;
    glm::vec2 low{0.0f}, high{0.0f};  ///< y down
    [[nodiscard]] glm::vec2 centre() const { return 0.5f * (low + high); }
};

/// Somebody with a mouse and a keyboard before Dear ImGui without a window. What they read is taken from the triangles that are drawn:
/// letters that are covered by nothing's edge, and so what a user would see, not what a panel meant to show.
class GuiUser {
public:
    /// `draw` is called once a picture, between NewFrame and Render.
    explicit GuiUser(std::function<void()> draw, glm::vec2 size = {1280.0f, 1600.0f});
    ~GuiUser();
    GuiUser(const GuiUser&) = delete;
    GuiUser& operator=(const GuiUser&) = delete;

    /// Pictures, a quarter of a second apart, which makes no double clicks.
    void look(int pictures = 1);
    [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }
    /// All of it, a piece a line.
    [[nodiscard]] std::string page() const;
    /// The n-th piece that is this text, or if there is none has it in it. Fails the test if there is none.
    [[nodiscard]] Seen find(const std::string& text, std::size_t n = 0) const;
    /// The first piece to the right of this and on its line.
    [[nodiscard]] Seen beside(const Seen& here) const;
    [[nodiscard]] Seen beside(const std::string& text) const { return beside(find(text)); }

    void moveTo(glm::vec2 place);
    void press(bool down);
    void hover(const std::string& text) { moveTo(find(text).centre()), look(2); }
    void click(glm::vec2 place);
    void click(const std::string& text) { click(find(text).centre()); }
    void drag(glm::vec2 from, glm::vec2 to);
    /// Ctrl + click on a number, another one, Enter.
    void write(glm::vec2 place, const std::string& value);
    /// In place of all that the field has in which one is typing.
    void replace(const std::string& text);
    void type(const std::string& text);
    void enter();
    void closeWindow(const std::string& title);

private:
    void read();
    std::function<void()> draw_;
    std::vector<Seen> seen_;
};

}  // namespace wisp::test
