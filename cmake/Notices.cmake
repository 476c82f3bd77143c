# SPDX-License-Identifier: MIT
# The licences of other projects whose code is compiled into the binaries: whoever passes these on has to pass on the licences, too. Shared
# libraries have theirs in their own packages; those in a wheel are added by python/wheel.cmake.
set(notices ${PROJECT_BINARY_DIR}/notices)
foreach(package glslang-dev libcli11-dev libfmt-dev libglm-dev libimgui-dev libnanovdb-dev libshaderc-dev libtinygltf-dev
        libtomlplusplus-dev libvulkan-volk-dev nlohmann-json3-dev spirv-tools)
    if(EXISTS /usr/share/doc/${package}/copyright)  # Debian
        configure_file(/usr/share/doc/${package}/copyright ${notices}/${package} COPYONLY)
    endif()
endforeach()
foreach(component library program)
    install(DIRECTORY ${notices} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component} OPTIONAL)
endforeach()
