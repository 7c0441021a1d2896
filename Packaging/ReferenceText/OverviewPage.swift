// SPDX-License-Identifier: GPL-3.0-or-later

/// The page earshot(1).
enum OverviewPage {
    static func source(of root: HelpCommand, _ release: Release) -> String {
        var page = Roff(title: "earshot", section: 1, release: release)
        page.section("NAME")
        page.line("earshot \\- \(CommandPage.summary(root).escaped)")
        page.section("SYNOPSIS")
        page.line("\(Roff.bold("earshot")) \(Roff.italic("command")) [\(Roff.italic("argument"))...]")
        page.section("DESCRIPTION")
        page.text(
            """
            Earshot plays a podcast episode while it downloads, and keeps the file. It subscribes to podcasts, \
            remembers positions, and plays a queue without gaps.
            """)
        page.paragraph("Each command has a manual page. The option `--help` of a command shows its options.")
        page.section("COMMANDS")
        for command in root.subcommands where command.path.last != "help" {
            page.entry(".BR \(command.path.joined(separator: "-").escaped) (1)", command.abstract)
        }
        CommandPage.listings(of: root, as: { $0.section($1) }, &page)
        for (title, entries) in [("FILES", files), ("ENVIRONMENT", environment)] {
            page.section(title)
            for (name, meaning) in entries { page.entry(Roff.italic(name), meaning) }
        }
        page.section("SEE ALSO")
        page.line(".BR earshot\\-settings (5) ,\n.BR earshot\\-protocol (7)")
        return page.source
    }

    private static let files = [
        ("$XDG_DATA_HOME/earshot/library.db", "The library: subscriptions, episodes, positions and the queue."),
        ("$XDG_DATA_HOME/earshot/episodes", "The downloads, unless --keep-dir names another folder."),
        ("$XDG_STATE_HOME/earshot", "The remembered volume and output, and what a service plays."),
        ("$XDG_CONFIG_HOME/earshot/keys", "The keys of the screen."),
        ("$XDG_CACHE_HOME/earshot", "Covers."),
        ("$XDG_RUNTIME_DIR/earshot/control", "The socket for control by other programs, see earshot-protocol(7)."),
    ]
    private static let environment = [
        ("XDG_DATA_HOME", "The folder for data; ~/.local/share if it is not set."),
        ("XDG_STATE_HOME", "The folder for state; ~/.local/state if it is not set."),
        ("XDG_CONFIG_HOME", "The folder for configuration; ~/.config if it is not set."),
        ("XDG_CACHE_HOME", "The folder for files that can be fetched again; ~/.cache if it is not set."),
        (
            "XDG_RUNTIME_DIR",
            "The folder for sockets; if it is not set, /run/user/UID, or else earshot/run in the folder for state."
        ),
        ("http_proxy, https_proxy, all_proxy, no_proxy", "The proxies, as for curl."),
        ("TZ", "The time zone of displayed dates and times."),
        ("PULSE_SERVER", "The sound server, as for other programs that use PulseAudio or PipeWire."),
        ("NO_COLOR", "If it is set, the status line has no colour."),
    ]
}
