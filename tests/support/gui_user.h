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
    glm::vec2 low{0.0f}, high{0.0f};  ///< y points down
    [[nodiscard]] glm::vec2 centre() const { return 0.5f * (low + high); }
};

/// Simulates a user with a mouse and a keyboard for Dear ImGui without a window. The text is read from the triangles that are drawn,
/// without glyphs that the edge of another element covers. So the tests see what a user would see.
class GuiUser {
public:
    /// `draw` is called once per frame, between NewFrame and Render.
    explicit GuiUser(std::function<void()> draw, glm::vec2 size = {1280.0f, 1600.0f});
    ~GuiUser();
    GuiUser(const GuiUser&) = delete;
    GuiUser& operator=(const GuiUser&) = delete;

    /// Draws frames that are 0.25 s apart, so that two clicks are no double click.
    void look(int pictures = 1);
    [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }
    /// All text, one piece per line.
    [[nodiscard]] std::string page() const;
    /// The n-th piece of text that equals `text`, or that contains `text` if no piece equals it. Fails the test if there is none.
    [[nodiscard]] Seen find(const std::string& text, std::size_t n = 0) const;
    /// The first piece to the right of `here` on the same line.
    [[nodiscard]] Seen beside(const Seen& here) const;
    [[nodiscard]] Seen beside(const std::string& text) const { return beside(find(text)); }

    void moveTo(glm::vec2 place);
    void press(bool down);
    void hover(const std::string& text) { moveTo(find(text).centre()), look(2); }
    void click(glm::vec2 place);
    void click(const std::string& text) { click(find(text).centre()); }
    void drag(glm::vec2 from, glm::vec2 to);
    /// Ctrl + clicks a number field, types the value and presses Enter.
    void write(glm::vec2 place, const std::string& value);
    /// Replaces all text of the active text field.
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
