// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
package import Media

/// The search for the format of a file in its first bytes. A pure value; the source is passed to each step.
package struct TrackFormatSearch: Sendable {
    /// The result of a step.
    package enum Step: Equatable {
        case found(TrackFormat)
        /// Bytes were read; call `step` again.
        case progressed
        case notYetAvailable
        /// The next byte does not arrive without a retry.
        case lost(MediaFailure)
        /// The file is of a known format that Earshot cannot play.
        case failed(MediaFailure)
    }

    /// The bytes from `start` on: at the beginning, or after a tag.
    private var head: [UInt8] = []
    private var start: Int64 = 0

    package init() {}

    /// The offset of the next read.
    package var readOffset: Int64 { start + Int64(head.count) }

    package mutating func step(_ source: any ByteSource) -> Step {
        let room = ContainerIdentification.prefixLength - head.count
        var stop: ByteRead?
        head.append(contentsOf: source.bytes(at: readOffset, count: room, &stop))
        switch ContainerIdentification(head, at: start, isComplete: stop == .end) {
        case .container(let kind): return .found(.container(kind))
        case .mpeg: return .found(.mpeg)
        case .unsupported(let failure): return .failed(failure)
        case .undecided(let offset): return advance(to: offset, stop)
        }
    }

    /// Returns the container of a file according to the bytes that have arrived; `nil` for another format, and if they
    /// are too few.
    static func container(of source: any ByteSource) -> ContainerKind? {
        guard case .container(let kind) = format(of: source) else { return nil }
        return kind
    }

    /// Returns the format of a file according to the bytes that have arrived; `nil` for one that Earshot cannot play,
    /// and if they are too few.
    package static func format(of source: any ByteSource) -> TrackFormat? {
        var search = TrackFormatSearch()
        var step = Step.progressed
        while step == .progressed { step = search.step(source) }
        guard case .found(let format) = step else { return nil }
        return format
    }

    private mutating func advance(to offset: Int64, _ stop: ByteRead?) -> Step {
        guard offset == start else {
            (start, head) = (offset, [])
            return .progressed
        }
        switch stop {
        case .notYetAvailable: return .notYetAvailable
        case .failed(let failure): return .lost(failure)
        // The file ends inside its tag.
        case .end: return .found(.mpeg)
        case .data, nil: return .progressed
        }
    }
}
