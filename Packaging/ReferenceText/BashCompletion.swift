// SPDX-License-Identifier: GPL-3.0-or-later

/// The completion script for bash.
enum BashCompletion {
    static func script(_ root: HelpCommand) -> String {
        let cases = CompletionEntry.all(in: root).map { entry in
            """
                \(entry.words.shellQuoted))
                    commands=\(entry.subcommands.map(\.name).joined(separator: " ").shellQuoted)
                    options=\(entry.optionWords.joined(separator: " ").shellQuoted)
                    arguments=\(entry.argumentWords.joined(separator: " ").shellQuoted) ;;

            """
        }
        return head + cases.joined() + tail
    }

    private static let head = """
        # SPDX-License-Identifier: GPL-3.0-or-later
        # Completion of earshot for bash.

        # Sets the subcommands, options and arguments of a command.
        _earshot_command() {
            commands='' options='' arguments=''
            case $1 in

        """

    private static let tail = #"""
            esac
        }

        # Offers a text that continues the typed word. Titles come from feeds, so they are quoted and never evaluated.
        # Readline replaces only the part after a colon that is neither quoted nor escaped.
        _earshot_add() {
            local rest=$1 head=${cur%[:=@]*} plain
            case $cur in
                [\"\']*) ;;
                *[:=@]*) [[ $head == *\\ ]] || { plain=${head//\\/} && rest=${rest:${#plain} + 1}; } ;;
            esac
            case $cur in
                \"*)
                    rest=${rest//\\/\\\\}
                    rest=${rest//\"/\\\"}
                    rest=${rest//\$/\\\$}
                    rest=${rest//\`/\\\`}
                    ;;
                \'*) rest=${rest//\'/\'\\\'\'} ;;
                *) printf -v rest %q "$rest" ;;
            esac
            COMPREPLY+=("$rest$2")
        }

        # Completes from a source.
        _earshot_offer() {
            local source=$1 typed=$2 before=$3 line
            case $source in
                @nothing) ;;
                @files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
                @folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
                @*)
                    while IFS=$'\t' read -r line _; do _earshot_add "$line" ''; done \
                        < <("$program" complete "${source#@}" -- "$typed" "$before" 2>/dev/null)
                    [[ $source == @names && -n $typed ]] || return 0
                    while read -r line; do
                        if [[ -d $line ]]; then
                            compopt -o nospace
                            _earshot_add "$line" /
                        else
                            _earshot_add "$line" ''
                        fi
                    done < <(compgen -f -- "$typed")
                    ;;
                *)
                    local IFS=,
                    for line in $source; do
                        [[ $line != "$typed"* ]] || _earshot_add "$line" ''
                        [[ $line != *: ]] || compopt -o nospace
                    done
                    ;;
            esac
        }

        _earshot() {
            local cur words=("${COMP_WORDS[@]}") cword=$COMP_CWORD program=${COMP_WORDS[0]}
            cur=${COMP_WORDS[COMP_CWORD]}
            # Keeps a word with a colon in one piece.
            if declare -F _get_comp_words_by_ref >/dev/null; then _get_comp_words_by_ref -n =:@ cur words cword; fi
            type -P "$program" >/dev/null || program=earshot
            COMPREPLY=()
            local commands options arguments path='' index=1 option value before='' given=0 source=''
            _earshot_command ''
            while ((index < cword)) && [[ " $commands " == *" ${words[index]} "* ]]; do
                path+=${path:+ }${words[index]}
                _earshot_command "$path"
                ((index += 1))
            done
            for ((; index < cword; index++)); do
                if [[ ${words[index]} == -* ]]; then
                    for option in $options; do
                        [[ $option == "${words[index]}="* ]] || continue
                        ((index + 1 == cword)) && source=${option#*=}
                        ((index += 1))
                        break
                    done
                else
                    ((given += 1))
                    before=${words[index]}
                fi
            done
            # A value in the word of its option.
            if [[ -z $source && $cur == --*=* ]]; then
                for option in $options; do [[ $option == "${cur%%=*}="* ]] && source=${option#*=}; done
                cur=${cur#*=}
            fi
            # The word without quotes.
            local typed=${cur#[\"\']}
            typed=${typed//\\/}
            if [[ -n $source ]]; then
                _earshot_offer "$source" "$typed" ''
            elif [[ $cur == -* ]]; then
                for option in $options; do [[ ${option%%=*} == "$cur"* ]] && COMPREPLY+=("${option%%=*}"); done
            else
                for value in $commands; do [[ $given == 0 && $value == "$cur"* ]] && COMPREPLY+=("$value"); done
                local sources=($arguments)
                ((${#sources[@]})) || return 0
                local last=${sources[-1]}
                if ((given < ${#sources[@]})); then
                    source=${sources[given]}
                elif [[ $last == *'*' ]]; then
                    source=$last
                fi
                [[ -z $source ]] || _earshot_offer "${source%'*'}" "$typed" "$before"
            fi
        }

        complete -F _earshot earshot

        """#
}
