// SPDX-License-Identifier: MIT
// Unit direction of the ray through a point of the image. Pixel (i, j) covers [i, i + 1] x [j, j + 1]; row 0 is the top.
vec3 cameraRay(vec2 point) {
    vec2 s = point / vec2(view.pixels) * 2.0 - 1.0;
    return normalize(view.forward + s.x * view.right - s.y * view.up);
}
