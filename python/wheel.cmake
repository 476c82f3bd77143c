# SPDX-License-Identifier: MIT
# Installation of a wheel: everything is in the package wisp. scikit-build-core itself takes the modules from the source folder.
install(TARGETS wisp_python LIBRARY DESTINATION wisp COMPONENT python)
install(FILES ${package}/_core.pyi DESTINATION wisp COMPONENT python)
set(binaries $<TARGET_FILE:wisp_python> $<TARGET_FILE:wisp::wisp>)
if(TARGET wisp_shared)  # without a version in the file name, because a wheel has no links
    set_property(TARGET wisp_shared PROPERTY VERSION)
    set_property(TARGET wisp_shared PROPERTY SOVERSION)
    install(TARGETS wisp_shared LIBRARY DESTINATION wisp COMPONENT python)
else()
    install(FILES $<TARGET_FILE:wisp::wisp> RENAME $<TARGET_SONAME_FILE_NAME:wisp::wisp> DESTINATION wisp COMPONENT python)
endif()
if(TARGET wisp)
    install(TARGETS wisp RUNTIME DESTINATION wisp/bin COMPONENT python)
    add_dependencies(wisp_python wisp)  # because scikit-build-core builds only wisp_python
    list(APPEND binaries $<TARGET_FILE:wisp>)
endif()
# The libraries of OpenVDB are large, so they are not in the wheel. Where they are not installed, there are no .vdb files.
if(TARGET wisp_openvdb)
    install(TARGETS wisp_openvdb LIBRARY DESTINATION wisp COMPONENT python)
    add_dependencies(wisp_python wisp_openvdb)
elseif(NOT TARGET wisp_shared)  # of the library that is installed
    get_target_property(library wisp::wisp LOCATION)
    get_filename_component(folder ${library} DIRECTORY)
    install(FILES ${folder}/wisp/wisp_openvdb.so DESTINATION wisp COMPONENT python OPTIONAL)
endif()

# The other libraries are, except the basic ones that every Python has. RPATH, unlike RUNPATH, also holds for what they need.
foreach(target wisp_python wisp_shared wisp)
    if(TARGET ${target})
        target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
    endif()
endforeach()
set_property(TARGET wisp_python PROPERTY INSTALL_RPATH "$ORIGIN;$ORIGIN/libraries")
if(TARGET wisp_shared)
    set_property(TARGET wisp_shared PROPERTY INSTALL_RPATH "$ORIGIN/libraries")
endif()
if(TARGET wisp)
    set_property(TARGET wisp PROPERTY INSTALL_RPATH "$ORIGIN/..;$ORIGIN/../libraries")
endif()
install(DIRECTORY ${CMAKE_BINARY_DIR}/notices DESTINATION wisp COMPONENT python OPTIONAL)  # see cmake/Notices.cmake
install(CODE "set(binaries \"${binaries}\")" COMPONENT python)
install(CODE [=[
    file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${binaries} RESOLVED_DEPENDENCIES_VAR libraries
         PRE_EXCLUDE_REGEXES "^(libc|libm|libdl|libpthread|librt|libstdc\\+\\+|libgcc_s|ld-linux.*|libwisp)\\.so")
    set(folder ${CMAKE_INSTALL_PREFIX}/wisp/libraries)
    file(MAKE_DIRECTORY ${folder} ${CMAKE_INSTALL_PREFIX}/wisp/notices)
    foreach(library IN LISTS libraries)
        get_filename_component(name ${library} NAME)
        file(REAL_PATH ${library} library)  # a wheel has no links
        file(COPY_FILE ${library} ${folder}/${name})
        # The licence, by the Debian package that the file is of.
        get_filename_component(file ${library} NAME)
        execute_process(COMMAND dpkg-query --search */${file} OUTPUT_VARIABLE packages ERROR_QUIET)
        string(REGEX MATCH "^[^:,\n]+" package "${packages}")
        if(package AND EXISTS /usr/share/doc/${package}/copyright)
            file(COPY_FILE /usr/share/doc/${package}/copyright ${CMAKE_INSTALL_PREFIX}/wisp/notices/${package})
        else()
            message(WARNING "The wheel has no licence of ${library}: no Debian package has this file.")
        endif()
    endforeach()
]=] COMPONENT python)
