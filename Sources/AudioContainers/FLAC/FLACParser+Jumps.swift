// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Jumps to other places of the file.
extension FLACParser {
    /// The most seconds that the parser reads from a point of the seek table to the wanted frame.
    private static let longestApproach: Int64 = 60

    public mutating func seek(to frame: Int64) -> Bool {
        guard !hasFailed, let stream, let start = stream.audioStart, let base = stream.base,
            0...ContainerPoint.farthest ~= frame,
            let point = stream.seekTable.point(before: frame + base),
            frame + base - point.frame <= Self.longestApproach * Int64(stream.info.sampleRate)
        else { return false }
        jump = nil
        discardPackets()
        restart(at: start + point.offset)
        (wantedFrame, isAfterSeek) = (frame, true)
        return true
    }

    public mutating func synchronize(from offset: Int64) {
        go(.synchronize(ContainerPoint.clamped(offset)))
    }

    public mutating func resume(at point: ContainerPoint) {
        go(.resume(point.clamped))
    }

    /// Returns the offset of the last point of the seek table at or before a frame.
    public func offset(ofFrame frame: Int64) -> Int64? {
        guard let stream, let start = stream.audioStart, let base = stream.base else { return nil }
        return stream.seekTable.point(before: ContainerPoint.clamped(frame) + base).map { start + $0.offset }
    }

    /// Returns the frame of the last point of the seek table at or before an offset.
    public func frame(atOffset offset: Int64) -> Int64? {
        guard let stream, let start = stream.audioStart, let base = stream.base else { return nil }
        return stream.seekTable.point(beforeOffset: ContainerPoint.clamped(offset) - start).map {
            max(0, $0.frame - base)
        }
    }

    private mutating func go(_ jump: StreamJump) {
        guard !hasFailed else { return }
        discardPackets()
        self.jump = jump
        guard let entry = streams.entry(around: jump.offset) else { return }
        guard let stream, stream.ordinal == entry.ordinal, stream.audioStart != nil else {
            // The metadata of the stream must be read again.
            return move(to: entry.offset, .start(since: entry.offset))
        }
        performJump()
    }

    /// Jumps if the stream's metadata and its first frame are known.
    mutating func performJump() {
        guard let jump, let stream, let start = stream.audioStart else { return }
        self.jump = nil
        switch jump {
        case .synchronize(let offset): restart(at: max(start, offset))
        case .resume(let point):
            restart(at: max(start, point.offset))
            self.stream?.resume(at: point.frame)
        }
    }

    /// Continues in the stream at `offset`.
    private mutating func restart(at offset: Int64) {
        stream?.resume(at: nil)
        (wantedFrame, isAfterSeek) = (nil, false)
        move(to: offset, .searching(since: offset, isDamage: false))
    }

    /// Reads from the first frame on, because a point of the seek table was wrong.
    mutating func restartWithoutTable() {
        guard let start = stream?.audioStart, let wanted = wantedFrame else { return }
        stream?.seekTable = FLACSeekTable()
        restart(at: start)
        wantedFrame = wanted
    }
}
