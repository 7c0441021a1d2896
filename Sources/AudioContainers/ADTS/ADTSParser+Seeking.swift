// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension ADTSParser {
    public var length: TrackLength {
        if isWhole { return .exact(frontier.frame) }
        return LengthEstimate.length(
            frames: frontier.frame, bytes: frontier.offset - trackStart, total: totalLength.map { $0 - trackStart })
    }

    /// Seeks within the packets that were read from the start of the track on.
    public mutating func seek(to frame: Int64) -> Bool {
        guard let track, frame >= 0, frame < frontier.frame,
            let entry = checkpoints.last(atOrBefore: max(0, frame - track.preRoll))
        else { return false }
        leave(to: entry.offset, frame: entry.frame)
        skipFrame = max(0, frame - track.preRoll)
        settle()
        return true
    }

    public mutating func resume(at point: ContainerPoint) {
        let point = point.clamped
        leave(to: point.offset, frame: point.frame)
        if point.index > 0, case .aac(let config) = track?.codec {
            // A point of another stream may lie before its first packet.
            nextFrame = max(0, point.frame - min(point.index, Self.mostBlocks) * Int64(config.packetFrames))
            skipFrame = point.frame
        }
        settle()
    }

    public mutating func synchronize(from offset: Int64) {
        leave(to: offset, frame: nil)
        phase = .searching(since: position)
        settle()
    }

    public func offset(ofFrame frame: Int64) -> Int64? {
        frame == frontier.frame ? frontier.offset : checkpoints.offset(ofFrame: frame)
    }

    public func frame(atOffset offset: Int64) -> Int64? {
        offset == frontier.offset ? frontier.frame : checkpoints.frame(atOffset: offset)
    }

    /// The most raw data blocks of a frame after the first one.
    private static let mostBlocks: Int64 = 3

    /// Forgets the position, but keeps the tables.
    private mutating func leave(to offset: Int64, frame: Int64?) {
        pending.removeAll(where: \.belongsToPosition)
        (payloads, points, point, skipFrame) = ([], [], nil, nil)
        position = ContainerPoint.clamped(offset)
        nextFrame = frame
        phase = stream.map(Phase.synced) ?? .searching(since: position)
    }
}
