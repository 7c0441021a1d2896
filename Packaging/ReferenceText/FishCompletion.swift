// SPDX-License-Identifier: GPL-3.0-or-later

/// The completion script for fish.
enum FishCompletion {
    static func script(_ root: HelpCommand) -> String {
        let entries = CompletionEntry.all(in: root)
        let groups = entries.dropFirst().map { entry in
            entry.words.contains(" ") ? entry.words : " " + entry.words
        }
        return head + "set -g __earshot_groups \(groups.map(\.fishQuoted).joined(separator: " "))\n"
            + entries.map(lines).joined()
    }

    private static func lines(_ entry: CompletionEntry) -> String {
        let valued = entry.options.filter { $0.source != nil }.flatMap(\.names)
        let here = "__earshot_at \(entry.words.fishQuoted) \(valued.joined(separator: " "))"
        var lines = entry.subcommands.map { command in
            "complete -c earshot -f -n \((here + "; and test $__earshot_given -eq 0").fishQuoted) -a \(command.name)"
                + " -d \(command.abstract.fishQuoted)"
        }
        for option in entry.options {
            let names = option.names.map { $0.hasPrefix("--") ? "-l \($0.dropFirst(2))" : "-s \($0.dropFirst())" }
            let choice = option.source.map { " " + value($0, argument: "''") } ?? ""
            lines.append(
                "complete -c earshot -n \(here.fishQuoted) \(names.joined(separator: " "))\(choice)"
                    + " -d \(option.abstract.fishQuoted)")
        }
        for (index, source) in entry.arguments.enumerated() where source != .nothing {
            let test = entry.repeats && index == entry.arguments.count - 1 ? "-ge" : "-eq"
            lines.append(
                "complete -c earshot -n \((here + "; and test $__earshot_given \(test) \(index)").fishQuoted)"
                    + " \(value(source, argument: "$__earshot_before"))")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The arguments of `complete` for a source.
    private static func value(_ source: CompletionSource, argument: String) -> String {
        switch source {
        case .nothing: "-x"
        case .files: "-r -F"
        case .folders: "-x -a \("(__fish_complete_directories)".fishQuoted)"
        case .words(let words): "-x -a \(words.joined(separator: " ").fishQuoted)"
        case .library("names"): "-k -a \("(__earshot_offer names)".fishQuoted)"
        case .library(let kind): "-x -k -a \("(__earshot_offer \(kind))".fishQuoted)"
        case .values: "-x -k -a \("(__earshot_offer values \(argument))".fishQuoted)"
        }
    }

    private static let head = #"""
        # SPDX-License-Identifier: GPL-3.0-or-later
        # Completion of earshot for fish.

        # Succeeds if the command line has this command. The other arguments are the options with values. Counts the
        # arguments before the cursor.
        function __earshot_at
            set -l words (commandline -opc)
            set -e words[1]
            set -l path (string split -n ' ' -- $argv[1])
            set -l valued $argv[2..-1]
            for word in $path
                test "$words[1]" = $word; or return 1
                set -e words[1]
            end
            # The words of a longer command do not belong to this one.
            contains -- "$argv[1] $words[1]" $__earshot_groups; and return 1
            set -g __earshot_given 0
            set -g __earshot_before
            while set -q words[1]
                if contains -- $words[1] $valued
                    set -e words[1]
                else if not string match -q -- '-*' $words[1]
                    set -g __earshot_given (math $__earshot_given + 1)
                    set -g __earshot_before $words[1]
                end
                set -e words[1]
            end
        end

        function __earshot_offer
            set -l program (commandline -opc)[1]
            type -q $program; or set program earshot
            $program complete $argv[1] -- (commandline -ct | string unescape) "$argv[2]" 2>/dev/null
        end

        complete -c earshot -f

        """#
}
