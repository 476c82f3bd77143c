# SPDX-License-Identifier: MIT
# What every target of ours is compiled with; packaged and generated code does not get it.

add_library(wisp_flags INTERFACE)
# Vulkan's structs are begun as {sType} and the rest is zero on purpose.
target_compile_options(wisp_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers)
if(WISP_WERROR)
    target_compile_options(wisp_flags INTERFACE -Werror)
endif()
target_include_directories(wisp_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)

if(WISP_SANITIZE STREQUAL "address")
    set(WISP_SANITIZE_FLAGS -fsanitize=address,undefined,float-divide-by-zero,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_sources(wisp_flags INTERFACE ${PROJECT_SOURCE_DIR}/cmake/leak_sanitizer.cpp)
    target_link_options(wisp_flags INTERFACE -Wl,--export-dynamic-symbol=dlclose)
elseif(WISP_SANITIZE STREQUAL "thread")
    set(WISP_SANITIZE_FLAGS -fsanitize=thread)
elseif(WISP_SANITIZE STREQUAL "coverage")
    # Of the program only; see wisp_measured.
    add_link_options(--coverage)
elseif(WISP_SANITIZE STREQUAL "fuzzer")
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "WISP_SANITIZE=fuzzer needs clang")
    endif()
    set(WISP_SANITIZE_FLAGS -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
elseif(NOT WISP_SANITIZE STREQUAL "")
    message(FATAL_ERROR "WISP_SANITIZE is \"${WISP_SANITIZE}\"; it can be address, thread, coverage, fuzzer or empty")
endif()
# Everything that is compiled here, volk included: a sanitizer that sees half a program reports nonsense.
add_compile_options(${WISP_SANITIZE_FLAGS})
add_link_options(${WISP_SANITIZE_FLAGS})

# What is measured: the program, not its tests. Counts are atomic because it has threads, and lines are counted as they are written.
function(wisp_measured target)
    if(WISP_SANITIZE STREQUAL "coverage")
        target_compile_options(${target} PRIVATE -O0 --coverage -fprofile-update=atomic)
    endif()
endfunction()

# Headers of other projects that most files include. Precompiled, they take a third off the time of a build. Each file still names what it
# includes, so that it compiles without them too.
set(WISP_COMMON_HEADERS <algorithm> <cmath> <filesystem> <functional> <map> <memory> <optional> <span> <string> <vector>
                        <fmt/format.h> <glm/common.hpp> <glm/geometric.hpp> <glm/vec2.hpp> <glm/vec3.hpp> <glm/vec4.hpp>)

# One library of ours from every .cpp of the current folder and the folders in it, except those named after EXCEPT.
function(wisp_library target)
    cmake_parse_arguments(arg "" "" "EXCEPT" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
    foreach(name IN LISTS arg_EXCEPT)
        list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    endforeach()
    # A library needs a source while its folder is still empty.
    set(placeholder ${CMAKE_CURRENT_BINARY_DIR}/${target}_empty.cpp)
    file(CONFIGURE OUTPUT ${placeholder} CONTENT "// ${target}\n" @ONLY)
    add_library(${target} STATIC ${placeholder} ${sources})
    target_link_libraries(${target} PUBLIC wisp_flags)
    wisp_measured(${target})
endfunction()
