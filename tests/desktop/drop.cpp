// SPDX-License-Identifier: MIT
// drop WINDOW FILE: drags a file to the centre of an X11 window and drops it there, as a file manager does. Exit status 0: the window has
// accepted the file. The protocol is XDND, version 5 (freedesktop.org).
#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

constexpr long kVersion = 5;

class Drag {
public:
    Drag(Display* display, Window target, std::string file)
        : display_(display), target_(target), uri_("file://" + std::move(file) + "\r\n") {
        source_ = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
        XSetSelectionOwner(display, atom("XdndSelection"), source_, CurrentTime);
    }

    [[nodiscard]] bool isAware() const {
        Atom type = None;
        int format = 0;
        unsigned long count = 0, left = 0;
        unsigned char* data = nullptr;
        XGetWindowProperty(display_, target_, atom("XdndAware"), 0, 1, False, AnyPropertyType, &type, &format, &count, &left, &data);
        if (data) XFree(data);
        return count == 1;
    }
    bool run() {
        XWindowAttributes place;
        int x = 0, y = 0;
        Window child = None;
        XGetWindowAttributes(display_, target_, &place);
        XTranslateCoordinates(display_, target_, DefaultRootWindow(display_), place.width / 2, place.height / 2, &x, &y, &child);
        send("XdndEnter", {kVersion << 24, static_cast<long>(atom("text/uri-list")), 0, 0});
        send("XdndPosition", {0, static_cast<long>(x) << 16 | y, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
        const XClientMessageEvent status = waitFor("XdndStatus");
        if ((status.data.l[1] & 1) == 0) return false;
        send("XdndDrop", {0, CurrentTime, 0, 0});
        return waitFor("XdndFinished").data.l[1] != 0;  // the protocol uses only bit 0, but GLFW 3.3 sends the text length
    }

private:
    [[nodiscard]] Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    void send(const char* type, const std::array<long, 4>& data) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = target_;
        event.xclient.message_type = atom(type);
        event.xclient.format = 32;
        event.xclient.data.l[0] = static_cast<long>(source_);
        for (std::size_t i = 0; i < data.size(); ++i) event.xclient.data.l[i + 1] = data[i];
        XSendEvent(display_, target_, False, NoEventMask, &event);
        XFlush(display_);
    }
    /// Waits for a message and answers requests for the data meanwhile. After ten seconds returns a message of zeros.
    XClientMessageEvent waitFor(const char* type) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < end) {
            if (XPending(display_) == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                continue;
            }
            XEvent event;
            XNextEvent(display_, &event);
            if (event.type == SelectionRequest) give(event.xselectionrequest);
            if (event.type == ClientMessage && event.xclient.message_type == atom(type)) return event.xclient;
        }
        return {};
    }
    void give(const XSelectionRequestEvent& wanted) {
        XChangeProperty(display_, wanted.requestor, wanted.property, wanted.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(uri_.data()), static_cast<int>(uri_.size()));
        XEvent event{};
        event.xselection.type = SelectionNotify;
        event.xselection.requestor = wanted.requestor;
        event.xselection.selection = wanted.selection;
        event.xselection.target = wanted.target;
        event.xselection.property = wanted.property;
        event.xselection.time = wanted.time;
        XSendEvent(display_, wanted.requestor, False, NoEventMask, &event);
        XFlush(display_);
    }

    Display* display_;
    Window target_, source_ = None;
    std::string uri_;
};

}  // namespace

int main(int argc, char** argv) {
    Display* const display = argc == 3 ? XOpenDisplay(nullptr) : nullptr;
    if (!display) return std::fputs("usage: drop WINDOW FILE (needs an X11 display)\n", stderr), 2;
    Drag drag(display, std::strtoul(argv[1], nullptr, 0), argv[2]);
    const bool taken = drag.isAware() && drag.run();
    XCloseDisplay(display);
    return taken ? 0 : 1;
}
