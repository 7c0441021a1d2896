// SPDX-License-Identifier: GPL-3.0-or-later

/// The files that are generated from the definitions of the program.
public enum ReferenceFiles {
    /// Returns the texts of the manual pages and completion scripts by their paths: `man1/earshot.1`.
    /// - Parameters:
    ///   - root: the commands of the program.
    ///   - protocolDocument: the text of docs/protocol.md.
    public static func all(
        _ root: HelpCommand, protocolDocument: String, _ release: Release
    ) -> [(path: String, text: String)] {
        let commands = root.subcommands.filter { $0.path.last != "help" }.map { command in
            let name = command.path.joined(separator: "-")
            return (path: "man1/\(name).1", text: CommandPage.source(of: command, in: root, release))
        }
        return [("man1/earshot.1", OverviewPage.source(of: root, release))] + commands + [
            ("man5/earshot-settings.5", SettingsPage.source(release)),
            ("man7/earshot-protocol.7", ProtocolPage.source(markdown: protocolDocument, release)),
            ("completions/earshot", BashCompletion.script(root)),
            ("completions/_earshot", ZshCompletion.script(root)),
            ("completions/earshot.fish", FishCompletion.script(root)),
        ]
    }

    /// True if the completion scripts know how to complete an argument.
    public static func hasSource(_ argument: HelpArgument, of command: HelpCommand) -> Bool {
        CompletionSource(of: argument, in: command) != nil
    }
}
