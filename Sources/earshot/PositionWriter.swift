// SPDX-License-Identifier: GPL-3.0-or-later
import Listening

/// Writes positions as long as those of this player count: where two players play one episode, those of the one that
/// the listener used last do.
struct PositionWriter {
    private let keeper: PositionSaver
    /// `nil` where players cannot be told apart.
    private let register: PlayingRegister?
    private var playing: Int64?
    /// The listener was told that the positions of another player count.
    private var hasYielded = false

    init(_ keeper: PositionSaver, _ register: PlayingRegister?) { (self.keeper, self.register) = (keeper, register) }

    /// - Returns: a sentence for the listener; `nil` where there is nothing to say.
    mutating func write(_ entries: [PositionLog.Entry]) -> String? {
        var sentence: String?
        var counted: [PositionLog.Entry] = []
        for entry in entries {
            if case .begin(let episode) = entry { sentence = begin(episode) }
            if register?.counts(entry.episode) ?? true {
                counted.append(entry)
            } else if !hasYielded {
                hasYielded = true
                sentence = "another player of this episode was used last: its position is saved, not this one's"
            }
        }
        keeper.write(counted)
        return sentence
    }

    /// The listener used this player.
    mutating func claim() {
        guard let playing else { return }
        register?.claim(playing)
        hasYielded = false
    }

    private mutating func begin(_ episode: Int64) -> String? {
        if let playing, playing != episode { register?.end(playing) }
        (playing, hasYielded) = (episode, false)
        guard register?.begin(episode) ?? false else { return nil }
        return "another player is playing this episode, too: the position of the one used last is saved"
    }
}
