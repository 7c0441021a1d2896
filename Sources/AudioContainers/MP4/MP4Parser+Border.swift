// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The borders between the parts of a joined file, in fragments.
///
/// Frames are counted as the durations state them, as decoding times count, so a packet that is found after a jump has
/// the same number as in a linear read. The packets of a border are held until the packet after it confirms it.
extension MP4Parser {
    /// Returns true if a sample begins a border or continues one.
    func belongsToBorder(_ sample: MediaSample) -> Bool {
        guard nextFrame != nil, FragmentBorder.length(of: sample.duration, clock) == .shorter else { return false }
        if border != nil { return true }
        return lastLength.map { $0 == .usual && !isClockUneven } ?? borders.contains(sample.offset)
    }

    /// True if a packet of the fragment is longer than others: it gives back what shorter ones omit.
    private var isClockUneven: Bool {
        fragmentSamples.map { FragmentBorder.length(of: $0.longestDuration, clock) == .longer } ?? false
    }

    /// Counts a packet of a border.
    /// - Returns: its frames according to its stated duration.
    mutating func addToBorder(_ sample: MediaSample) -> Int64 {
        let frames = clock.frame(at: sample.duration)
        if border == nil, let nextFrame, let packetFrames = clock.packetFrames {
            border = FragmentBorder(at: nextFrame, offset: sample.offset, packetFrames: packetFrames)
        }
        border?.add(frames)
        return frames
    }

    /// Ends the border before a sample that does not continue it.
    mutating func endBorder(before sample: MediaSample) {
        guard let border else { return }
        switch FragmentBorder.length(of: sample.duration, clock) {
        case .shorter where border.packets < JoinedParts.mostAtBorder: break
        // Without decoding times, a duration of 0 is an unknown one.
        case .usual: endBorder(isJoin: !isClockUneven && (fragmentTimes != nil || border.lastFrames > 0))
        case .shorter, .longer: endBorder(isJoin: false)
        }
    }

    /// Ends the border if the decoding time after it counts what its durations omit: the durations are wrong then. A
    /// later time states lost packets.
    mutating func endBorder(before time: Int64) {
        guard let border, let fragmentTimes, let packetFrames = clock.packetFrames else { return }
        let frames = fragmentTimes.frames(before: time, clock)
        guard (border.omitted / 2...border.omitted + packetFrames / 2).contains(frames) else { return }
        endBorder(isJoin: false)
    }

    /// Numbers the packets of a border.
    /// - Parameter isJoin: false if they are played in full length.
    mutating func endBorder(isJoin: Bool) {
        guard let border = self.border.take() else { return }
        // Those before the goal of a seek are not held.
        let first = border.packets - Int64(held.count)
        for index in held.indices {
            let number = first + Int64(index)
            if isJoin {
                held[index].change(to: border.playedFrames(of: number), isFirst: number == 0)
            } else {
                held[index].move(to: border.firstFrame(of: number))
            }
        }
        guard !isJoin else {
            borders.insert(border.offset)
            return
        }
        fragmentTimes?.count(1, frames: border.omitted, duration: 0, clock)
        guard let end = nextFrame.map({ $0 + border.omitted }) else { return }
        noteRead(border.firstFrame(of: 0)..<end)
        nextFrame = end
        noteRestOfFragment(from: end)
    }
}
