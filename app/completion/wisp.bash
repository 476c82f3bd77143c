# SPDX-License-Identifier: MIT
# Completion for bash. `wisp complete` knows the commands, options and values, see app/cli/completion.h.
_wisp() {
    local what candidates files
    { read -r what; mapfile -t candidates; } < <("$1" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    COMPREPLY=("${candidates[@]%%$'\t'*}")
    if [[ $what == files ]]; then
        mapfile -t files < <(compgen -f -- "$2")
        COMPREPLY+=("${files[@]}")
        compopt -o filenames
    fi
    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace  # a key, such as flow.vorticity=
} &&
    complete -F _wisp wisp
