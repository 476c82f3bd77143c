# SPDX-License-Identifier: MIT
# Completion for fish. `wisp complete` knows the commands, options and values, see app/cli/completion.h.
function __wisp_complete
    set -l words (commandline -opc)
    set -l lines ($words[1] complete $words[2..-1] (commandline -ct | string collect --allow-empty) 2>/dev/null)
    printf '%s\n' $lines[2..-1]
    if test "$lines[1]" = files
        __fish_complete_path (commandline -ct)
    end
end
complete -c wisp -f -a '(__wisp_complete)'
