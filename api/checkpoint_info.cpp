// SPDX-License-Identifier: MIT
#include "wisp/checkpoint.h"

#include "api/guarded.h"
#include "files/checkpoint/checkpoint_file.h"

namespace wisp {

CheckpointInfo CheckpointInfo::read(const std::string& file) {
    return guarded([&] {
        const CheckpointFile checkpoint(file);
        const CheckpointHeader& head = checkpoint.head();
        return CheckpointInfo{head.name, head.run.steps, {head.pictures, head.stepsSincePicture}};
    });
}

}  // namespace wisp
