// SPDX-License-Identifier: MIT
// Environment images and images for initial smoke: PNG, Radiance and OpenEXR.
#include "compute/picture/environment_sampling.h"
#include "compute/scene/environment.h"
#include "compute/scene/initial_image.h"
#include "files/scene/environment_file.h"
#include "files/scene/initial_image_file.h"
#include "tests/fuzz/support/input.h"

#include <cmath>
#include <memory>
#include <stdexcept>

using namespace wisp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::filesystem::path file = fuzz::fileOf(fuzz::textOf({data, size}));
    try {
        fuzz::require(initialImageProblem(readInitialImage(file)).empty(), "an invalid image for initial smoke is accepted");
    } catch (const std::runtime_error&) {}
    EnvironmentSettings environment;
    try {
        environment.image = std::make_shared<const EnvironmentImage>(readEnvironment(file));
    } catch (const std::runtime_error&) {
        return 0;
    }
    const EnvironmentImage& image = *environment.image;
    fuzz::require(environmentProblem(image).empty(), "an invalid environment image is accepted");
    if (image.texels.size() > 4096) return 0;  // the rest treats every texel in the same way
    for (const glm::vec3& factor : environmentHarmonics(environmentMap(environment), 0.5f, false))
        for (int i = 0; i < 3; ++i) fuzz::require(std::isfinite(factor[i]), "the harmonics of an environment image are not finite");
    const std::vector<double> chances = environmentProbabilities(image);
    for (const double chance : chances) fuzz::require(chance >= 0.0 && chance <= 1.0, "the probability of a texel is not in [0, 1]");
    (void)aliasTable(chances);
    (void)environmentTexels(image, chances);
    return 0;
}
