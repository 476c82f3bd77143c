#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: blender_test.py WISP. Reads .vdb files of wisp with Blender and compares them with wisp's own numbers and pictures."""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import bpy
import mathutils

sys.path.append(os.path.join(bpy.utils.resource_path("LOCAL"), "python/lib/python3.11/site-packages"))  # of Blender
import numpy  # noqa: E402
import openvdb  # noqa: E402

FRAMES, STEPS, FPS = 3, 4, 30
EXTINCTION, AMBIENT, CELL = 5.0, 293.0, 1.5 / 96
EYE, TARGET, FOV = (1.6, 1.5, 2.6), (0.2, 0.8, -0.4), 30.0
failures = []


def expect(what, found, wanted, tolerance):
    close = bool(abs(found - wanted) <= tolerance)
    print(f"{'ok  ' if close else 'FAIL'} {what}: {found:.6g}, expected {wanted:.6g} +- {tolerance:.2g}")
    if not close:
        failures.append(what)


def to_blender(point):
    """A point or vector of the scene, in which y is up."""
    x, y, z = point
    return (x, -z, y)


def run_wisp(wisp, folder):
    scene = pathlib.Path(__file__).with_name("scene.toml")
    subprocess.run([wisp, "render", scene, "--frames", str(FRAMES), "--steps-per-frame", str(STEPS), "--fps", str(FPS), "--out", "p%02d.exr",
                    "--volume", "c%02d.vdb", "--up", "z", "--volume-fields", "density,temperature,flame,fuel,vel", "--stats", "s.jsonl",
                    "--log-level", "quiet"], cwd=folder, check=True)
    steps = [json.loads(line) for line in open(folder / "s.jsonl")]
    return steps[STEPS - 1::STEPS]  # those of the frames


def check_grids(folder, stats):
    """Integrals and greatest values, against the statistics of the step."""
    for frame in range(FRAMES):
        grids = {g.name: g for g in openvdb.readAll(str(folder / f"c{frame:02d}.vdb"))[0]}
        density, temperature, vel = grids["density"], grids["temperature"], grids["vel"]
        volume = math.prod(density.transform.voxelSize())
        mass = sum(v.value for v in density.citerOnValues()) * volume
        expect(f"frame {frame}: integral of the density [m^3]", mass, stats[frame]["mass"], 1e-3 * stats[frame]["mass"])
        hottest = max(v.value for v in temperature.citerOnValues())
        expect(f"frame {frame}: greatest temperature [K]", hottest, AMBIENT + stats[frame]["hottest"], 1e-3 * hottest)
        fastest = max(math.dist(v.value, (0, 0, 0)) for v in vel.citerOnValues())
        expect(f"frame {frame}: greatest speed [m/s]", fastest, stats[frame]["max_speed"], 1e-3 * stats[frame]["max_speed"])
        fuel = sum(v.value * AMBIENT / temperature.getConstAccessor().getValue(v.min) for v in grids["fuel"].citerOnValues())
        expect(f"frame {frame}: fuel [kg]", fuel * volume * 1.2, stats[frame]["fuel"], 2e-3 * stats[frame]["fuel"])
    metadata = openvdb.readMetadata(str(folder / "c02.vdb"))
    expect("frame in the metadata", metadata["frame"], 2, 0)
    expect("fps in the metadata", metadata["fps"], FPS, 0)
    expect("time in the metadata", metadata["time"], FRAMES * STEPS / 120, 1e-6)


def centre_of_smoke(folder, frame):
    """Centre of mass in the scene's coordinates, from the file alone."""
    density = openvdb.read(str(folder / f"c{frame:02d}.vdb"), "density")
    total, moment = 0.0, numpy.zeros(3)
    for v in density.citerOnValues():
        total += v.value
        moment += v.value * numpy.array(density.transform.indexToWorld(v.min))
    return moment / total


def bounds_of_blocks(folder, frame):
    """Box around the blocks of 8^3 cells of all grids, between the centres of their outermost cells: Blender's bounds."""
    low, high = numpy.full(3, 1e9), numpy.full(3, -1e9)
    for grid in openvdb.readAll(str(folder / f"c{frame:02d}.vdb"))[0]:
        first, last = (numpy.array(c) for c in grid.evalActiveVoxelBoundingBox())
        low = numpy.minimum(low, grid.transform.indexToWorld(tuple(first // 8 * 8)))
        high = numpy.maximum(high, grid.transform.indexToWorld(tuple(last // 8 * 8 + 7)))
    return low, high


def import_sequence(folder):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    names = [{"name": f"c{frame:02d}.vdb"} for frame in range(FRAMES)]
    bpy.ops.object.volume_import(filepath=str(folder / "c00.vdb"), directory=str(folder), files=names, relative_path=False)
    obj = bpy.context.object
    obj.data.frame_start = 1
    return obj


def check_import(folder, obj):
    expect("frames of the sequence", obj.data.frame_duration, FRAMES, 0)
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(frame + 1)
        obj.data.grids.load()
        expect(f"frame {frame}: error of the file", len(obj.data.grids.error_message), 0, 0)
        names = sorted(g.name for g in obj.data.grids)
        expect(f"frame {frame}: grids", names == ["density", "flame", "fuel", "temperature", "vel"], True, 0)
        corners = numpy.array([list(c) for c in obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).bound_box])
        low, high = corners.min(axis=0), corners.max(axis=0)
        wanted = bounds_of_blocks(folder, frame)
        for axis in range(3):
            expect(f"frame {frame}: lower bound along {'xyz'[axis]} [m]", low[axis], wanted[0][axis], 1e-4)
            expect(f"frame {frame}: upper bound along {'xyz'[axis]} [m]", high[axis], wanted[1][axis], 1e-4)
    first, last = centre_of_smoke(folder, 0), centre_of_smoke(folder, FRAMES - 1)
    start, velocity = to_blender((0.1, 0.7, -0.5)), to_blender((2.0, 0.5, -1.0))
    for axis in range(3):  # gas that is pushed slows down
        expect(f"first centre along {'xyz'[axis]} [m]", first[axis], start[axis] + 0.5 * velocity[axis] * STEPS / 120, 0.04)
        moved = last[axis] - first[axis]
        expect(f"way along {'xyz'[axis]} has the sign of the velocity", math.copysign(1, moved), math.copysign(1, velocity[axis]), 0)
    obj.data.velocity_grid = "vel"
    obj.data.velocity_unit = "SECOND"
    obj.data.grids.load()
    expect("the velocity is found", obj.data.velocity_x_grid + obj.data.velocity_y_grid + obj.data.velocity_z_grid != "" or
           any(g.name == "vel" and g.channels == 3 for g in obj.data.grids), True, 0)


def render(folder, obj):
    """A picture by Cycles of smoke that only absorbs, before a white background. Cycles takes the index of a voxel for its corner, while in
    OpenVDB it is its centre. Without half a voxel the pictures would differ by 0.06 rms."""
    scene = bpy.context.scene
    obj.location = (-CELL / 2,) * 3
    scene.frame_set(FRAMES)
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 64, False
    scene.cycles.volume_step_rate, scene.cycles.volume_max_steps = 0.1, 4096
    scene.cycles.pixel_filter_type = "BOX"
    scene.render.filter_size = scene.cycles.filter_width = 0.01
    scene.render.resolution_x = scene.render.resolution_y = 64
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
    scene.view_settings.view_transform = "Raw"
    world = bpy.data.worlds.new("white")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    scene.world = world
    material = bpy.data.materials.new("smoke")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    volume, output = nodes.new("ShaderNodeVolumePrincipled"), nodes.new("ShaderNodeOutputMaterial")
    volume.inputs["Color"].default_value = volume.inputs["Absorption Color"].default_value = (0, 0, 0, 1)
    volume.inputs["Density"].default_value = EXTINCTION
    material.node_tree.links.new(volume.outputs["Volume"], output.inputs["Volume"])
    obj.data.materials.append(material)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.sensor_fit, camera.data.angle = "VERTICAL", math.radians(FOV)
    camera.location = to_blender(EYE)
    ahead = mathutils.Vector(to_blender(TARGET)) - mathutils.Vector(camera.location)
    camera.rotation_euler = ahead.to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.filepath = str(folder / "blender.exr")
    bpy.ops.render.render(write_still=True)


def check_motion_blur(wisp, folder):
    """The velocity is per second: the same picture with the shutter open for the whole frame, by wisp and by Cycles."""
    scene = pathlib.Path(__file__).with_name("scene.toml")
    subprocess.run([wisp, "render", scene, "--frames", str(FRAMES), "--steps-per-frame", str(STEPS), "--fps", str(FPS), "--out", "b%02d.exr",
                    "--set", "camera.shutter=360", "--set", "render.shutter_samples=64", "--log-level", "quiet"], cwd=folder, check=True)
    render_settings = bpy.context.scene.render
    render_settings.use_motion_blur, render_settings.motion_blur_shutter, render_settings.motion_blur_position = True, 1.0, "CENTER"
    bpy.context.scene.cycles.samples = 256
    render_settings.filepath = str(folder / "blurred.exr")
    bpy.ops.render.render(write_still=True)
    sharp, ours = (1.0 - pixels(folder / f"{name}{FRAMES - 1:02d}.exr")[:, :, 3] for name in "pb")
    theirs = pixels(folder / "blurred.exr")[:, :, 0]
    smoke = ours < 0.99
    expect("mean transmittance with motion blur", theirs[smoke].mean(), ours[smoke].mean(), 0.02 * ours[smoke].mean())
    expect("rms difference with motion blur", math.sqrt(((theirs - ours)[smoke] ** 2).mean()), 0.0, 0.02)
    blur = math.sqrt(((sharp - ours)[smoke] ** 2).mean())
    expect("motion blur changes more than the programs differ", blur > 2 * math.sqrt(((theirs - ours)[smoke] ** 2).mean()), True, 0)


def check_bodies(wisp, folder):
    """Bodies, camera and lights of --scene-out, at the frames of the pictures."""
    scene = pathlib.Path(__file__).with_name("bodies.toml")
    subprocess.run([wisp, "render", scene, "--frames", "4", "--steps-per-frame", str(STEPS), "--fps", str(FPS), "--no-picture",
                    "--scene-out", "bodies.glb", "--hash", "--log-level", "quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=str(folder / "bodies.glb"))
    objects = bpy.data.objects
    for frame in range(4):
        time = (frame + 1) * STEPS / 120
        bpy.context.scene.frame_set(frame)
        where = objects["obstacle[0]"].matrix_world.translation
        wanted = to_blender((0.5 + 1.0 * time, 0.4 + 0.5 * time, 0.3 - 0.25 * time))
        for axis in range(3):
            expect(f"frame {frame}: sphere along {'xyz'[axis]} [m]", where[axis], wanted[axis], 1e-5)
        along = objects["obstacle[1]"].matrix_world.to_3x3().normalized() @ mathutils.Vector((1, 0, 0))
        angle = math.radians(90.0 * time)
        wanted = to_blender((math.cos(angle), 0.0, -math.sin(angle)))
        for axis in range(3):
            expect(f"frame {frame}: axis of the box along {'xyz'[axis]}", along[axis], wanted[axis], 1e-5)
    eye = objects["camera"].matrix_world.translation
    for axis in range(3):
        expect(f"camera along {'xyz'[axis]} [m]", eye[axis], to_blender((1.0, 0.6, 3.0))[axis], 1e-5)
    ahead = objects["camera"].matrix_world.to_3x3() @ mathutils.Vector((0, 0, -1))
    wanted = (mathutils.Vector(to_blender((1.0, 0.5, 0.5))) - mathutils.Vector(to_blender((1.0, 0.6, 3.0)))).normalized()
    for axis in range(3):
        expect(f"direction of the camera along {'xyz'[axis]}", ahead[axis], wanted[axis], 1e-5)
    expect("sun [W/m^2]", objects["light[0]"].data.energy, 3.0, 1e-3)
    # Blender's point lights have their power in all directions, of which a share of 1 / (4 pi) is the intensity of a lambertian source.
    expect("point light [W]", objects["light[1]"].data.energy, 2.0 * 4 * math.pi, 0.05)


def pixels(path):
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    return numpy.array(image.pixels[:], dtype="f8").reshape(image.size[1], image.size[0], 4)


def check_picture(folder):
    ours = 1.0 - pixels(folder / f"p{FRAMES - 1:02d}.exr")[:, :, 3]
    theirs = pixels(folder / "blender.exr")[:, :, 0]
    smoke = ours < 0.99
    expect("share of the picture with smoke", smoke.mean(), 0.1, 0.08)
    expect("mean transmittance of the smoke", theirs[smoke].mean(), ours[smoke].mean(), 0.02 * ours[smoke].mean())
    expect("rms difference of transmittances", math.sqrt(((theirs - ours)[smoke] ** 2).mean()), 0.0, 0.02)
    expect("greatest difference of transmittances", numpy.abs(theirs - ours).max(), 0.0, 0.05)


def main():
    wisp = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stats = run_wisp(wisp, folder)
        check_grids(folder, stats)
        obj = import_sequence(folder)
        check_import(folder, obj)
        render(folder, obj)
        check_picture(folder)
        check_motion_blur(wisp, folder)
        check_bodies(wisp, folder)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
