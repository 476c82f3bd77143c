// SPDX-License-Identifier: MIT
#pragma once

#include "objects.h"
#include "world.h"

#include <wisp/camera.h>
#include <wisp/field.h>
#include <wisp/renderer.h>

#include <glm/mat4x4.hpp>

/// Draws the knot and the floor with a depth buffer, and puts the smoke over them. All commands run on one queue, so that one set of images
/// is enough for two frames in flight.
class Painter {
public:
    static constexpr VkFormat kColour = VK_FORMAT_R16G16B16A16_SFLOAT, kDepth = VK_FORMAT_D32_SFLOAT;

    /// @param target format of the pictures that it draws to
    Painter(const Gpu& gpu, const World& world, const Mesh& mesh, VkFormat target);

    /// Only when no frame is in flight.
    void resize(VkExtent2D size);
    /// Draws linear radiance and depth. `density`: shadows the scene.
    void drawScene(VkCommandBuffer commands, const glm::mat4& clip, const wisp::Camera& camera, const wisp::Field& density);
    /// The depth that drawScene leaves.
    [[nodiscard]] wisp::HostDepth depth() const;
    /// Puts the smoke over the picture of drawScene, as sRGB bytes into `target`, an image in VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL.
    void drawComposite(VkCommandBuffer commands, const wisp::Picture& smoke, VkImageView target);

private:
    void createLayout();
    void bind(VkCommandBuffer commands, VkPipeline pipeline);

    const Gpu& gpu_;
    VkExtent2D size_{};
    Buffer world_, vertices_, indices_;
    std::uint32_t indexCount_ = 0;
    Owned<VkSampler> sampler_;
    Owned<VkDescriptorSetLayout> setLayout_;
    Owned<VkPipelineLayout> layout_;
    Owned<VkPipeline> sky_, scene_, composite_;
    Image samples_, sampleDepths_;  ///< four samples a pixel
    Image colour_, depth_;          ///< one a pixel
};
