# SPDX-License-Identifier: MIT
# Compiler flags for all targets of this project, but not for packaged and generated code.

add_library(wisp_flags INTERFACE)
# Vulkan structs are initialised as {sType}; the remaining members are zero on purpose.
target_compile_options(wisp_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers)
if(WISP_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns of types in unnamed namespaces only in the files that it includes, which with unity builds are all.
    target_compile_options(wisp_flags INTERFACE -Wno-subobject-linkage)
endif()
if(WISP_WERROR)
    target_compile_options(wisp_flags INTERFACE -Werror)
endif()
target_compile_definitions(wisp_flags INTERFACE WISP_GLM)  # see include/wisp/wind.h
target_include_directories(wisp_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)

if(WISP_SANITIZE STREQUAL "address")
    set(WISP_SANITIZE_FLAGS -fsanitize=address,undefined,float-divide-by-zero,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_sources(wisp_flags INTERFACE ${PROJECT_SOURCE_DIR}/cmake/leak_sanitizer.cpp)
    target_link_options(wisp_flags INTERFACE -Wl,--export-dynamic-symbol=dlclose)
elseif(WISP_SANITIZE STREQUAL "thread")
    set(WISP_SANITIZE_FLAGS -fsanitize=thread)
elseif(WISP_SANITIZE STREQUAL "coverage")
    # Only the program is instrumented, see wisp_measured.
    add_link_options(--coverage)
elseif(WISP_SANITIZE STREQUAL "fuzzer")
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "WISP_SANITIZE=fuzzer needs clang")
    endif()
    set(WISP_SANITIZE_FLAGS -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
elseif(NOT WISP_SANITIZE STREQUAL "")
    message(FATAL_ERROR "WISP_SANITIZE is \"${WISP_SANITIZE}\"; it can be address, thread, coverage, fuzzer or empty")
endif()
# For all code that is compiled here, including volk: with partial instrumentation sanitizers report false errors.
add_compile_options(${WISP_SANITIZE_FLAGS})
add_link_options(${WISP_SANITIZE_FLAGS})

# Enables coverage of the program, not of the tests. Counters are atomic because the program has threads. -O0 keeps line counts exact.
function(wisp_measured target)
    if(WISP_SANITIZE STREQUAL "coverage")
        target_compile_options(${target} PRIVATE -O0 --coverage -fprofile-update=atomic)
    endif()
endfunction()

# Replaces -O2 of the release presets for code that needs no speed: writing volumes and EXR pictures takes as long with -O1.
# Not with coverage: all code then has the level of wisp_measured.
function(wisp_optimise target level)
    if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT WISP_SANITIZE STREQUAL "coverage")
        target_compile_options(${target} PRIVATE ${level})
    endif()
endfunction()

# Headers of other projects that most files include, precompiled once for the engine and used by the modules after it. They save about a
# fifth of a file's compile time. Every file still includes what it uses, so that it compiles without them.
set(WISP_COMMON_HEADERS <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional> <span> <string> <vector>
                        <fmt/format.h> <glm/common.hpp> <glm/geometric.hpp> <glm/vec2.hpp> <glm/vec3.hpp> <glm/vec4.hpp>)

# Compiles the files of a folder together, up to WISP_UNITY_FILES at once: what they include is then read once, and templates are compiled
# once. Files that need options of their own stay alone.
set(WISP_UNITY_FILES 6)
function(wisp_unity target)
    if(NOT WISP_UNITY)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    foreach(source IN LISTS sources)
        cmake_path(GET source PARENT_PATH folder)
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        string(MAKE_C_IDENTIFIER "${folder}" group)
        list(APPEND of_${group} ${source})
        list(LENGTH of_${group} count)
        math(EXPR part "(${count} - 1) / ${WISP_UNITY_FILES}")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}_${part}")
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Creates a library from every .cpp file in the current folder and its subfolders, except the files named after EXCEPT.
function(wisp_library target)
    cmake_parse_arguments(arg "" "" "EXCEPT" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
    foreach(name IN LISTS arg_EXCEPT)
        list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    endforeach()
    # CMake requires at least one source, even if the folder is still empty.
    set(placeholder ${CMAKE_CURRENT_BINARY_DIR}/${target}_empty.cpp)
    file(CONFIGURE OUTPUT ${placeholder} CONTENT "// ${target}\n" @ONLY)
    add_library(${target} STATIC ${placeholder} ${sources})
    # The shared library exports what include/wisp declares, and nothing else.
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_link_libraries(${target} PUBLIC wisp_flags)
    wisp_measured(${target})
    wisp_unity(${target})
    if(target STREQUAL "wisp_engine")
        target_precompile_headers(${target} PRIVATE ${WISP_COMMON_HEADERS})
    else()
        target_precompile_headers(${target} REUSE_FROM wisp_engine)
    endif()
endfunction()
