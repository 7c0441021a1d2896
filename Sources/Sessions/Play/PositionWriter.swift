// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources

/// Saves the positions of this player. If several players play an episode, only the positions of the last used player
/// are saved.
struct PositionWriter {
    private let keeper: PositionSaver
    /// The register of players; `nil` if it is unavailable.
    private let register: PlayingRegister?
    private var playing: Int64?
    /// True after reporting that the position of another player is saved.
    private var hasYielded = false

    init(_ keeper: PositionSaver, _ register: PlayingRegister?) { (self.keeper, self.register) = (keeper, register) }

    /// Saves positions.
    /// - Returns: a sentence for the listener, or `nil`.
    mutating func write(_ entries: [PositionLog.Entry]) -> String? {
        var sentence: String?
        var counted: [PositionLog.Entry] = []
        for entry in entries {
            if case .begin(let episode) = entry { sentence = begin(episode) }
            if register?.counts(entry.episode) ?? true {
                counted.append(entry)
            } else if !hasYielded {
                hasYielded = true
                sentence =
                    "another earshot process also plays this episode and was used more recently; its position is saved"
            }
        }
        keeper.write(counted)
        return sentence
    }

    /// Records that the listener used this player.
    mutating func claim() {
        guard let playing else { return }
        register?.claim(playing)
        hasYielded = false
    }

    private mutating func begin(_ episode: Int64) -> String? {
        if let playing, playing != episode { register?.end(playing) }
        (playing, hasYielded) = (episode, false)
        guard register?.begin(episode) ?? false else { return nil }
        return "another earshot process also plays this episode; the process that you used last saves its position"
    }
}
