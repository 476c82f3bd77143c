# SPDX-License-Identifier: MIT
# Packages for Debian, one for each component, by `cpack` in the build folder: see scripts/packages.sh.
set(WISP_MAINTAINER "wisp contributors <wisp@localhost>" CACHE STRING "Maintainer of the packages, with an address")

set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wisp)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${WISP_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL library development program openvdb)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)  # whatever the umask is
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})  # for libwisp.so, see also debian_files.cmake
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each description below begins with its own
set(about "wisp simulates smoke, fire and liquids with Vulkan compute shaders,
and renders them. It needs a device with Vulkan 1.3, or Mesa's driver
for CPUs.
")

# The Vulkan loader is opened at run time, so that shlibdeps does not find it.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libwisp${soversion})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS libvulkan1)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS wisp-openvdb)
set(control ${PROJECT_BINARY_DIR}/debian_library)
file(CONFIGURE OUTPUT ${control}/shlibs CONTENT "libwisp ${soversion} libwisp${soversion} (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "simulator for smoke, fire and liquids: shared library
${about}.
This is the library for programs in C++.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwisp-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libwisp${soversion} (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "simulator for smoke, fire and liquids: development files
${about}.
These are the headers, and the files for CMake and pkg-config.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME wisp)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS libvulkan1)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd, wisp-openvdb, ffmpeg")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "simulator for smoke, fire and liquids
${about}.
This is the program, for a window, images, videos and volumes.")

set(CPACK_DEBIAN_OPENVDB_PACKAGE_NAME wisp-openvdb)
set(CPACK_DEBIAN_OPENVDB_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_OPENVDB_PACKAGE_ENHANCES "wisp, libwisp${soversion}")
set(CPACK_COMPONENT_OPENVDB_DESCRIPTION "simulator for smoke, fire and liquids: OpenVDB files
${about}.
This module reads and writes .vdb files.")

if(NOT TARGET wisp)
    list(REMOVE_ITEM CPACK_COMPONENTS_ALL program)
endif()
if(NOT TARGET wisp_openvdb)
    list(REMOVE_ITEM CPACK_COMPONENTS_ALL openvdb)
endif()

if(WISP_PYTHON)
    list(APPEND CPACK_COMPONENTS_ALL python)
    get_property(python DIRECTORY ${PROJECT_SOURCE_DIR}/python PROPERTY WISP_PYTHON_DEPENDS)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-wisp)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${python}, python3-numpy")
    set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS wisp)
    # They compile the modules, and delete what Python compiled.
    set(scripts ${CMAKE_CURRENT_LIST_DIR}/debian_python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${scripts}/postinst ${scripts}/prerm)
    set(CPACK_COMPONENT_PYTHON_DESCRIPTION "simulator for smoke, fire and liquids: Python module
${about}.
This is the package wisp for Python, with fields and pictures as numpy arrays.")
endif()
include(CPack)
