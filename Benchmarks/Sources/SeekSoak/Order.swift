// SPDX-License-Identifier: GPL-3.0-or-later
import Measuring
import Media
import Playback

/// A command to the player, with its expected result. A pure value.
enum Order: Sendable, Equatable {
    case seek(SeekTarget)
    case next
    case previous

    /// The time into an item up to which `previous` means the item before.
    private static let previousLimit = Duration.seconds(3)
    private static let format = AudioFormat(sampleRate: 44100, channels: Reference.channels)

    static func duration(ofFrames frames: Int64) -> Duration { format.duration(ofFrames: frames) }

    /// Returns a random command. Some seek before the beginning, some past the end, some exactly to the end.
    /// - Parameter length: The length of the current item in frames.
    static func random(length: Int64, using chance: inout SeededGenerator) -> Order {
        let end = duration(ofFrames: length)
        switch Int.random(in: 0..<20, using: &chance) {
        case 0..<9: return .seek(.absolute(.time(end * Double.random(in: 0..<1, using: &chance))))
        case 9..<14: return .seek(.relative(.milliseconds(.random(in: -200_000...200_000, using: &chance))))
        case 14: return .seek(.absolute(.time(end)))
        case 15: return .seek(.absolute(.time(duration(ofFrames: length - .random(in: 1...3000, using: &chance)))))
        case 16: return .seek(.absolute(.time(end + .milliseconds(.random(in: 1...9_000_000, using: &chance)))))
        case 17: return .seek(.absolute(.time(.milliseconds(.random(in: -9_000_000 ... -1, using: &chance)))))
        case 18: return .next
        default: return .previous
        }
    }

    /// Returns the first frame of the playlist that is played afterwards; `nil` if the command has no effect.
    func landing(from here: Int64, in reference: Reference) -> Int64? {
        let (item, frame) = reference.place(of: here)
        switch self {
        case .seek(.absolute(.time(let time))), .seek(.absolute(.estimated(let time, _))):
            return Self.frame(at: time, of: item, in: reference)
        case .seek(.absolute(.fraction(let part))):
            let length = Self.duration(ofFrames: reference.lengths[item])
            return Self.frame(at: length * max(0, min(1, part)), of: item, in: reference)
        case .seek(.relative(let distance)):
            return Self.frame(at: Self.duration(ofFrames: frame) + distance, of: item, in: reference)
        case .next: return item + 1 < reference.starts.count ? reference.starts[item + 1] : nil
        case .previous:
            let isAtStart = Self.duration(ofFrames: frame) <= Self.previousLimit
            return reference.starts[isAtStart ? max(0, item - 1) : item]
        }
    }

    /// Returns the frame at a time of an item; a time past the item's end leads to the start of the next.
    private static func frame(at time: Duration, of item: Int, in reference: Reference) -> Int64 {
        reference.starts[item] + min(reference.lengths[item], max(0, format.frames(in: time)))
    }

    func give(to player: Player) {
        switch self {
        case .seek(let target): player.send(.seek(target))
        case .next: player.send(.next)
        case .previous: player.send(.previous)
        }
    }
}
