// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The end of periodic work while nothing happens, so that a paused player uses no processor.
extension PlaybackLoop {
    /// The time for which the loop still looks for changes that wake nobody, such as chapters and measurements.
    private static let lookingTime = Duration.seconds(5)

    /// True if only a message or new bytes can change anything. Called once in each round without work.
    var isQuiet: Bool {
        guard isSettled, executed == 0 else {
            quietSince = nil
            return false
        }
        let since = quietSince ?? now
        quietSince = since
        return now - since >= Self.lookingTime
    }

    /// True if no sound plays or is awaited, and no bytes arrive.
    private var isSettled: Bool {
        guard output.outage == nil else { return false }
        let stands =
            switch machine.phase {
            case .empty, .ended, .connectionLost, .outputLost: true
            case .opening, .priming, .rendering, .trailing, .finishing, .draining: machine.intent == .pause
            }
        return stands && audio.items.flatMap(\.sources).allSatisfy(\.downloadProgress.isOver)
    }
}
