// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import TerminalInterface

/// Prints names for the completion of a shell, one per line, each with a tab and its description. It never changes the
/// library, and an error prints nothing: a shell shows it in the middle of the typed line.
package enum CompletionSession {
    package static func run(kind: String, typed: String, before: String) {
        SignalWatcher.leaveToSystem()
        let lines = candidates(kind, typed, before).map { ReportText.output("\($0.name)\t\($0.description)\n") }
        StandardStreams.write(lines)
    }

    private static func candidates(_ kind: String, _ typed: String, _ before: String) -> [NameCompletion.Candidate] {
        switch kind {
        case "settings": return SettingKey.candidates(beginningWith: typed)
        case "values": return SettingKey(rawValue: before)?.values(beginningWith: typed) ?? []
        default:
            guard let kind = NameCompletion.Kind(rawValue: kind) else { return [] }
            let names = try? CompositionRoot.completion().candidates(kind, beginningWith: typed)
            return names ?? []
        }
    }
}
