// SPDX-License-Identifier: MIT
#include "painter.h"

#include "gpu.h"

#include <array>
#include <cstring>

namespace {

constexpr std::uint32_t kSceneVertex[] =
#include "scene.vert.inc"
    ;
constexpr std::uint32_t kSceneFragment[] =
#include "scene.frag.inc"
    ;
constexpr std::uint32_t kScreenVertex[] =
#include "screen.vert.inc"
    ;
constexpr std::uint32_t kSkyFragment[] =
#include "sky.frag.inc"
    ;
constexpr std::uint32_t kCompositeFragment[] =
#include "composite.frag.inc"
    ;

constexpr VkSampleCountFlagBits kSamples = VK_SAMPLE_COUNT_4_BIT;

/// As in world.glsl.
struct View {
    glm::mat4 clip;
    glm::vec4 eye, right, up, forward;
};

glm::vec4 vectorOf(const std::array<float, 3>& v) { return {v[0], v[1], v[2], 0.0f}; }

template <class T>
Buffer makeFilled(const Gpu& gpu, const T* data, std::size_t count, VkBufferUsageFlags usage) {
    Buffer made = makeBuffer(gpu, count * sizeof(T), usage);
    std::memcpy(made.mapped, data, count * sizeof(T));
    return made;
}

VkWriteDescriptorSet write(std::uint32_t binding, VkDescriptorType type, const VkDescriptorImageInfo* image,
                           const VkDescriptorBufferInfo* buffer) {
    VkWriteDescriptorSet made{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    made.dstBinding = binding;
    made.descriptorCount = 1;
    made.descriptorType = type;
    made.pImageInfo = image;
    made.pBufferInfo = buffer;
    return made;
}

// What uses the images, before and after drawScene. Multisampled images are resolved in the stage and with the access of colour
// attachments.
constexpr Use kDrawn{VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                     VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
constexpr VkPipelineStageFlags2 kTests = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
constexpr Use kTested{VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, kTests | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                      VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                          VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
constexpr Use kSampled{VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                       VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
constexpr Use kSeenByWisp{VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                          VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};

/// The content is not kept: only the order of the uses matters.
Use discarded(const Use& last) { return {VK_IMAGE_LAYOUT_UNDEFINED, last.stages, last.accesses}; }

}  // namespace

Painter::Painter(const Gpu& gpu, const World& world, const Mesh& mesh, VkFormat target)
    : gpu_(gpu),
      world_(makeFilled(gpu, &world, 1, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT)),
      vertices_(makeFilled(gpu, mesh.vertices.data(), mesh.vertices.size(), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)),
      indices_(makeFilled(gpu, mesh.indices.data(), mesh.indices.size(), VK_BUFFER_USAGE_INDEX_BUFFER_BIT)),
      indexCount_(static_cast<std::uint32_t>(mesh.indices.size())),
      sampler_(makeSampler(gpu)) {
    createLayout();
    PipelineInfo info{layout_, kScreenVertex, kSkyFragment, kColour, kDepth, kSamples, false};
    sky_ = makePipeline(gpu, info);
    info.vertex = kSceneVertex;
    info.fragment = kSceneFragment;
    info.hasVertices = true;
    scene_ = makePipeline(gpu, info);
    composite_ = makePipeline(gpu, {layout_, kScreenVertex, kCompositeFragment, target});
}

/// One layout for all pipelines: the world, the density, the own picture and the smoke.
void Painter::createLayout() {
    std::array<VkDescriptorSetLayoutBinding, 4> bindings{};
    for (std::uint32_t n = 0; n < bindings.size(); ++n)
        bindings[n] = {n, n == 0 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                       VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;  // wisp requires this extension, so it is there
    set.bindingCount = static_cast<std::uint32_t>(bindings.size());
    set.pBindings = bindings.data();
    VkDescriptorSetLayout sets = VK_NULL_HANDLE;
    check(vkCreateDescriptorSetLayout(gpu_.device(), &set, nullptr, &sets), "vkCreateDescriptorSetLayout");
    setLayout_ = {sets, [device = gpu_.device()](VkDescriptorSetLayout l) { vkDestroyDescriptorSetLayout(device, l, nullptr); }};

    const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(View)};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = 1;
    info.pSetLayouts = setLayout_.address();
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    check(vkCreatePipelineLayout(gpu_.device(), &info, nullptr, &layout), "vkCreatePipelineLayout");
    layout_ = {layout, [device = gpu_.device()](VkPipelineLayout l) { vkDestroyPipelineLayout(device, l, nullptr); }};
}

void Painter::resize(VkExtent2D size) {
    size_ = size;
    constexpr VkImageUsageFlags kSampledToo = VK_IMAGE_USAGE_SAMPLED_BIT;
    samples_ = makeImage(gpu_, size, kColour, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, kSamples);
    sampleDepths_ = makeImage(gpu_, size, kDepth, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, kSamples);
    colour_ = makeImage(gpu_, size, kColour, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | kSampledToo, VK_SAMPLE_COUNT_1_BIT);
    depth_ = makeImage(gpu_, size, kDepth, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | kSampledToo, VK_SAMPLE_COUNT_1_BIT);
}

void Painter::bind(VkCommandBuffer commands, VkPipeline pipeline) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    const VkViewport viewport{0.0f, 0.0f, static_cast<float>(size_.width), static_cast<float>(size_.height), 0.0f, 1.0f};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    const VkRect2D all{{0, 0}, size_};
    vkCmdSetScissor(commands, 0, 1, &all);
}

void Painter::drawScene(VkCommandBuffer commands, const glm::mat4& clip, const wisp::Camera& camera, const wisp::Field& density) {
    transition(commands, samples_.image, discarded(kDrawn), kDrawn);
    transition(commands, sampleDepths_.image, discarded(kTested), kTested, VK_IMAGE_ASPECT_DEPTH_BIT);
    transition(commands, colour_.image, discarded(kSampled), kDrawn);
    transition(commands, depth_.image, discarded(kSeenByWisp), kTested, VK_IMAGE_ASPECT_DEPTH_BIT);

    VkRenderingAttachmentInfo colour{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    colour.imageView = samples_.view;
    colour.imageLayout = colour.resolveImageLayout = kDrawn.layout;
    colour.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    colour.resolveImageView = colour_.view;
    colour.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;  // the sky covers it
    colour.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    VkRenderingAttachmentInfo depth{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    depth.imageView = sampleDepths_.view;
    depth.imageLayout = depth.resolveImageLayout = kTested.layout;
    depth.resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;  // wisp takes one depth a pixel
    depth.resolveImageView = depth_.view;
    depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;  // to 0, infinitely far
    depth.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = size_;
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &colour;
    rendering.pDepthAttachment = &depth;
    vkCmdBeginRendering(commands, &rendering);

    const VkDescriptorBufferInfo world{world_.buffer, 0, VK_WHOLE_SIZE};
    const VkDescriptorImageInfo smoke{sampler_, density.view(), VK_IMAGE_LAYOUT_GENERAL};
    gpu_.pushDescriptors(commands, layout_,
                         std::array{write(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, nullptr, &world),
                                    write(1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &smoke, nullptr)});
    const View view{clip, vectorOf(camera.eye), vectorOf(camera.right), vectorOf(camera.up), vectorOf(camera.forward)};
    vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof view, &view);
    bind(commands, sky_);
    vkCmdDraw(commands, 3, 1, 0, 0);
    bind(commands, scene_);
    const VkDeviceSize start = 0;
    vkCmdBindVertexBuffers(commands, 0, 1, vertices_.buffer.address(), &start);
    vkCmdBindIndexBuffer(commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(commands, indexCount_, 1, 0, 0, 0);
    vkCmdEndRendering(commands);

    transition(commands, colour_.image, kDrawn, kSampled);
    transition(commands, depth_.image, kTested, kSeenByWisp, VK_IMAGE_ASPECT_DEPTH_BIT);
}

wisp::HostDepth Painter::depth() const { return {depth_.view, kSeenByWisp.layout}; }

void Painter::drawComposite(VkCommandBuffer commands, const wisp::Picture& smoke, VkImageView target) {
    VkRenderingAttachmentInfo colour{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    colour.imageView = target;
    colour.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    colour.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    colour.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
    rendering.renderArea.extent = size_;
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &colour;
    vkCmdBeginRendering(commands, &rendering);
    const VkDescriptorImageInfo own{sampler_, colour_.view, kSampled.layout};
    const VkDescriptorImageInfo over{sampler_, smoke.view, static_cast<VkImageLayout>(smoke.layout)};
    gpu_.pushDescriptors(commands, layout_,
                         std::array{write(2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &own, nullptr),
                                    write(3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &over, nullptr)});
    bind(commands, composite_);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
}
