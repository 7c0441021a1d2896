// SPDX-License-Identifier: GPL-3.0-or-later

/// The completion script for zsh.
enum ZshCompletion {
    static func script(_ root: HelpCommand) -> String {
        let cases = CompletionEntry.all(in: root).map { entry in
            let verbs = entry.subcommands.map { "\($0.name):\($0.abstract)".shellQuoted }
            let flags = entry.options.flatMap { option in
                option.names.map { "\($0):\(option.abstract)".shellQuoted }
            }
            let valued = entry.optionWords.filter { $0.contains("=") }.map(\.shellQuoted)
            return """
                    \(entry.words.shellQuoted))
                        verbs=(\(verbs.joined(separator: " ")))
                        flags=(\(flags.joined(separator: " ")))
                        valued=(\(valued.joined(separator: " ")))
                        sources=(\(entry.argumentWords.map(\.shellQuoted).joined(separator: " "))) ;;

                """
        }
        return head + cases.joined() + tail
    }

    private static let head = """
        #compdef earshot
        # SPDX-License-Identifier: GPL-3.0-or-later
        # Completion of earshot for zsh.

        # Sets the subcommands (NAME:HELP), options (NAME:HELP), values of options (NAME=SOURCE) and sources of
        # arguments of a command.
        _earshot_command() {
            verbs=() flags=() valued=() sources=()
            case $1 in

        """

    private static let tail = #"""
            esac
        }

        # Completes from a source.
        _earshot_offer() {
            local source=$1 typed=$2 before=$3 line
            local -a texts shown
            case $source in
                @nothing) ;;
                @files) _files ;;
                @folders) _files -/ ;;
                @*)
                    for line in "${(@f)$($program complete ${source#@} -- "$typed" "$before" 2>/dev/null)}"; do
                        [[ -n $line ]] || continue
                        texts+=("${line%%$'\t'*}")
                        shown+=("${line//$'\t'/  -- }")
                    done
                    compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -l -d shown -a texts
                    [[ $source != @names ]] || _files
                    ;;
                *) compadd -- ${(s:,:)source} ;;
            esac
        }

        _earshot() {
            local -a verbs flags valued sources
            local verb='' program=${(Q)words[1]} index=2 given=0 before='' source='' option
            whence -p -- $program >/dev/null || program=earshot
            _earshot_command ''
            while (( index < CURRENT )) && (( ${verbs[(I)${words[index]}:*]} )); do
                verb+=${verb:+ }${words[index]}
                _earshot_command $verb
                (( index += 1 ))
            done
            while (( index < CURRENT )); do
                if [[ ${words[index]} == -* ]]; then
                    option=${valued[(r)${words[index]}=*]}
                    if [[ -n $option ]]; then
                        (( index + 1 == CURRENT )) && source=${option#*=}
                        (( index += 1 ))
                    fi
                else
                    (( given += 1 ))
                    before=${(Q)words[index]}
                fi
                (( index += 1 ))
            done
            local typed=${(Q)PREFIX}
            if [[ -n $source ]]; then
                _earshot_offer $source "$typed" ''
            elif [[ $PREFIX == -* ]]; then
                _describe -o option flags
            else
                (( given == 0 && $#verbs )) && _describe command verbs
                if (( given < $#sources )); then
                    source=${sources[given + 1]}
                elif (( $#sources )) && [[ ${sources[-1]} == *'*' ]]; then
                    source=${sources[-1]}
                fi
                [[ -z $source ]] || _earshot_offer ${source%\*} "$typed" "$before"
            fi
        }

        if [[ $funcstack[1] == _earshot ]]; then _earshot "$@"; else compdef _earshot earshot; fi

        """#
}
