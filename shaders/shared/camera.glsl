// SPDX-License-Identifier: MIT
// Unit direction of the ray through a point of the image. Pixel (i, j) covers [i, i + 1] x [j, j + 1]; row 0 is the top.
struct Camera { vec3 eye, right, up, forward; };
vec3 cameraRay(Camera c, vec2 point) {
    vec2 s = point / vec2(view.pixels) * 2.0 - 1.0;
    return normalize(c.forward + s.x * c.right - s.y * c.up);
}
Camera stillCamera() { return Camera(view.eye, view.right, view.up, view.forward); }
vec3 cameraRay(vec2 point) { return cameraRay(stillCamera(), point); }
