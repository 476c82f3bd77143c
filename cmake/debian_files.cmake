# SPDX-License-Identifier: MIT
# Run by cpack when the files of all packages are in its folders, each as in the file system of a user. Adds what Debian wants in a package.
file(READ ${CMAKE_CURRENT_LIST_DIR}/../LICENSE licence)
string(REGEX MATCH "Copyright \\(c\\) [^\n]*" copyright "${licence}")
string(REGEX REPLACE "^Copyright \\(c\\) " "" copyright "${copyright}")
string(REGEX REPLACE "^.*Permission is" "Permission is" permission "${licence}")
string(STRIP "${permission}" permission)
string(REPLACE "\n\n" "\n.\n" permission "${permission}")
string(REPLACE "\n" "\n " permission "${permission}")
file(READ ${CMAKE_CURRENT_LIST_DIR}/../files/base/version.h version)
string(REGEX MATCH "kVersionDate = \"([0-9-]+)\"" found "${version}")
execute_process(COMMAND date --utc --rfc-email --date ${CMAKE_MATCH_1} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

function(compress file)
    execute_process(COMMAND gzip --best --no-name --force ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component})
    set(usr ${root}${CPACK_PACKAGING_INSTALL_PREFIX})
    string(TOUPPER ${component} upper)
    set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})

    file(REMOVE ${usr}/share/doc/wisp/LICENSE)
    set(doc ${usr}/share/doc/${package})
    if(EXISTS ${usr}/share/doc/wisp AND NOT package STREQUAL wisp)
        file(RENAME ${usr}/share/doc/wisp ${doc})
    endif()
    file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: wisp\n\n\
Files: *\nCopyright: ${copyright}\nLicense: Expat\n ${permission}\n")
    file(WRITE ${doc}/changelog "wisp (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n\
 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    compress(${doc}/changelog)
    file(GLOB pages ${usr}/share/man/man*/*.1)
    foreach(page IN LISTS pages)
        compress(${page})
    endforeach()

    # Debian has another folder than zsh itself.
    if(EXISTS ${usr}/share/zsh/site-functions)
        file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
    endif()

    # The loader finds the library without.
    if(EXISTS ${usr}/bin/wisp)
        file(RPATH_REMOVE FILE ${usr}/bin/wisp)
    endif()

    # dpkg-shlibdeps reads this file: what is linked to the library depends on its package, of this version. Then cpack deletes the folder.
    set(library ${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME})
    if(component MATCHES "program|python")  # they have binaries
        string(REPLACE libwisp "" soversion ${library})
        file(WRITE ${root}/debian/shlibs.local "libwisp ${soversion} ${library} (= ${CPACK_PACKAGE_VERSION})\n")
    endif()
endforeach()
