# SPDX-License-Identifier: MIT
# Compiler flags for all targets of this project, but not for packaged and generated code.

add_library(wisp_flags INTERFACE)
# Vulkan structs are initialised as {sType}; the remaining members are zero on purpose.
target_compile_options(wisp_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers)
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

# Headers of other projects that most files include. Precompiled headers save about a fifth of a file's compile time. Every file still
# includes what it uses, so that it compiles without them.
set(WISP_COMMON_HEADERS <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional> <span> <string> <vector>
                        <fmt/format.h> <glm/common.hpp> <glm/geometric.hpp> <glm/vec2.hpp> <glm/vec3.hpp> <glm/vec4.hpp>)

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
endfunction()
