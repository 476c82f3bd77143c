// SPDX-License-Identifier: MIT
#ifndef WISP_RENDERER_H
#define WISP_RENDERER_H

#include <wisp/camera.h>
#include <wisp/simulation.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// How a renderer draws.
struct RendererOptions {
    std::uint32_t width = 1280;  ///< [pixels]
    std::uint32_t height = 720;  ///< [pixels]
    /// For a host that draws the rest: smoke alone, without obstacles, ground and environment behind it, which still light and shadow it.
    /// The host puts it over its own picture: radiance + (1 - alpha) * own.
    bool composite = false;
    /// The environment is not drawn behind smoke and bodies, but lights them. The host puts the picture over its own, as a composite.
    /// PictureContent::Display then has the coverage instead of 255, and the colours are those over black.
    bool transparent = false;
    double frameTime = 0.0;  ///< time between pictures [s], of which camera.shutter is a share; 0: the scene's time.step
};

/// The depth buffer of a host's picture, of the same size as the renderer's. Smoke behind it is not drawn.
struct HostDepth {
    VkImageView view = nullptr;  ///< of the depth aspect, one sample a pixel; the image has VK_IMAGE_USAGE_SAMPLED_BIT,
                                 ///< and exists until the commands have run
    int layout = 0;              ///< VkImageLayout in which the commands find it
};

/// A picture on the device.
struct Picture {
    /// Linear radiance [W/(m^2 sr)] of smoke and bodies times their coverage, plus the environment behind them, which a composite and
    /// RendererOptions::transparent leave out; alpha is the coverage: 0 where only the environment is. Row 0 is the top.
    VkImage image = nullptr;
    VkImageView view = nullptr;       ///< of `image`
    VkImage depth = nullptr;          ///< mean distance along the axis of what is seen [m], infinite where nothing is; null
                                      ///< for a slice and a flat grid
    VkImageView depthView = nullptr;  ///< of `depth`
    std::uint32_t width = 0;          ///< [pixels]
    std::uint32_t height = 0;         ///< [pixels]
    int format = 0;                   ///< VkFormat of the image: rgba16f
    int layout = 0;                   ///< VkImageLayout of both: always VK_IMAGE_LAYOUT_GENERAL
    /// 4 bytes a pixel: red, green, blue and 255 (see RendererOptions), after exposure, tone curve and sRGB. A storage buffer, from which
    /// also can be copied.
    VkBuffer display = nullptr;
    /// Where the scene shows a field, 4 floats: values of the first and the last colour, speed [m/s] of an arrow of the usual length,
    /// largest value. Null otherwise.
    VkBuffer range = nullptr;
};

/// Pixels in host memory.
struct PictureData {
    std::uint32_t width = 0;         ///< [pixels]
    std::uint32_t height = 0;        ///< [pixels]
    std::vector<std::uint8_t> rgba;  ///< after exposure, tone curve and sRGB; row 0 is the top
};

/// What is read of a picture. Row 0 is the top.
enum class PictureContent : int {
    Display = 1,   ///< 4 bytes a pixel: red, green, blue and 255, after exposure, tone curve and sRGB
    Radiance = 2,  ///< 4 16-bit floats a pixel, see Picture::image
    Deep = 3       ///< the same, and after all pixels a 32-bit float of each: depth [m], or the value of the field that the scene shows
};

/// A path-traced picture so far.
struct PathProgress {
    std::uint32_t samples = 0;  ///< of each pixel
    double noise = 0.0;  ///< standard error over mean luminance, of pixels of smoke and bodies (see render.error); infinite below 2 samples
    double cut = 0.0;    ///< number of samples of all pixels that were cut short after mostSteps and are too dark
    double segments = 0.0;                             ///< number of path segments of all samples
    static constexpr std::uint32_t mostSteps = 32768;  ///< bricks and collisions on the way of a sample
};

/// A picture that was fetched. The memory is valid during the call only.
struct FetchedPicture {
    const std::byte* data = nullptr;                   ///< see PictureContent
    std::size_t bytes = 0;                             ///< of `data`
    std::uint32_t width = 0;                           ///< [pixels]
    std::uint32_t height = 0;                          ///< [pixels]
    PictureContent content = PictureContent::Display;  ///< what `data` has
    std::uint64_t step = 0;                            ///< number of steps before it
    double time = 0.0;                                 ///< [s]
    /// Where the scene shows a field (view.field): values of the first and the last colour, the speed [m/s] of an arrow of the usual
    /// length, and the largest value; as in Picture::range.
    std::array<float, 4> range{};
    PathProgress path;  ///< of a path-traced picture
};

/// What a picture of a field shows (view.field), for a legend of its colours. The values are in FetchedPicture::range.
struct FieldLegend {
    std::string name;                           ///< of the field, such as "speed"
    std::string unit;                           ///< such as "m/s"
    std::vector<std::array<float, 3>> colours;  ///< at equal distances from range[0] to range[1], linear sRGB
    bool absolute = false;                      ///< a temperature in K, not above ambient
    std::uint32_t width = 0;  ///< of the strip at the right side that the picture leaves for a legend [pixels], 100 for each 640 x 360
                              ///< pixels; 0: none, because the picture is too small, or by view.legend
    char slice = 0;           ///< axis of a slice: x, y or z; 0: the whole volume
    bool moves = false;       ///< the slice is in the middle of a box that moves
    float position = 0.0f;    ///< of the slice on its axis [m]
    float arrow = 0.0f;       ///< length of an arrow with the speed range[2] [pixels]; 0: no arrows
};

/// Draws a simulation. Light, medium and camera are those of its scene, also after a change. If nothing but the camera has changed since
/// the last picture, the light in the smoke is not computed again.
class WISP_API Renderer {
public:
    /// @throws Error OutOfMemory; Unsupported if a composite of this scene is not possible: a liquid's surface, path tracing, a flat grid,
    /// a view of a field, temporal accumulation; or a transparent picture: a liquid's surface, a flat grid, a view of a field.
    explicit Renderer(Simulation& simulation, const RendererOptions& options = {});
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    /// From the next picture on, instead of that of the scene. @throws Error Argument; a picture then Unsupported if it is of a flat grid
    /// or of a field.
    void setCamera(const Camera& camera);
    /// The same for any picture. It does not move while the shutter is open. @throws Error Argument if a number is not finite, the angle is
    /// not between 0 and pi, or eye and target are the same.
    void setCamera(const SceneCamera& camera);
    void useSceneCamera();  ///< again

    /// Uses another size from the next picture on, as when a window is resized. The last picture is then outdated. Nothing happens if the
    /// size is the same. @throws Error Argument if a side is 0; OutOfMemory or Unsupported: then it keeps its size, but has no picture.
    void resize(std::uint32_t width, std::uint32_t height);

    /// Submits one picture of the simulation after its steps so far.
    void draw();
    /// The same, and can be stopped. A path-traced picture takes a submit for about a million samples, and many seconds: `goOn` is called
    /// after each, with the number of samples of each pixel that are submitted, and may not use the simulation. If it returns false, the
    /// picture has these. Any other picture is a single submit, during which nothing is called. A path-traced picture is complete with
    /// render.samples samples, or earlier when its noise is found to be at most render.error, which is known two submits later.
    /// @return whether the picture is complete
    bool draw(const std::function<bool(std::uint32_t samples)>& goOn);
    /// Adds up to `samples` samples of each pixel to a path-traced picture of the steps so far, or begins one, and submits them. Waits for
    /// them. @throws Error Argument for 0; Unsupported if the scene is not path-traced (render.mode).
    PathProgress refine(std::uint32_t samples);
    /// Records one picture into the commands of the host, see Simulation::record. @throws Error Argument if there is a depth, but the
    /// camera is not from matrices.
    void record(const HostCommands& commands, const HostDepth& depth = {});

    /// The last picture. It is overwritten by the next one, and gone after a change of the scene. @throws Error Outdated.
    [[nodiscard]] Picture picture() const;
    /// What the next picture shows by colours; none if it shows smoke, or the dye of a flat grid.
    [[nodiscard]] std::optional<FieldLegend> legend() const;
    /// The last picture as one that can be shown. Waits for it.
    [[nodiscard]] PictureData read();
    /// Reads the last picture without waiting: a later call of fetch or flush calls `done`, in order. Two pictures may be on the way.
    /// `done` may not use the simulation, and is not called after the destructor has begun. @throws Error Outdated if there is no picture;
    /// Argument.
    void fetch(PictureContent content, std::function<void(const FetchedPicture&)> done);
    void flush();  ///< waits for all pictures that are fetched
    /// The last picture as linear radiance and coverage: 4 floats a pixel. Waits for it.
    [[nodiscard]] std::vector<float> readRadiance();

    struct Impl;
    [[nodiscard]] Impl& impl() const { return *impl_; }  ///< for the library itself

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace wisp

#endif
