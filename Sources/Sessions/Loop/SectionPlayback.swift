// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioEngine
package import AudioFiles
import EpisodeSources
package import Media
import Subscriptions
package import TerminalInterface

/// The playback of a section, shared by `earshot loop` and `earshot render`.
package struct SectionPlayback: Sendable {
    /// The section; `nil` for the whole file.
    package var section: TimeSection?
    /// The number of passes; `nil` for no limit.
    package var times: Int?
    package var isReversed: Bool
    package var crossfade: Duration
    /// The speed, in `StreamingSource.rates`; the pitch does not change.
    package var speed = 1.0

    package init(
        section: TimeSection? = nil, times: Int?, isReversed: Bool, crossfade: Duration, speed: Double = 1
    ) {
        self.section = section
        self.times = times
        self.isReversed = isReversed
        self.crossfade = crossfade
        self.speed = speed
    }

    /// A section that is ready to play.
    package struct Opened: Sendable {
        package let source: StreamingSource
        /// The failure to report after playback if the file is shorter than declared and the section includes its end.
        package let shortfall: MediaFailure?
        /// The damaged parts that are played as silence or skipped.
        package let damage: FileDamage
    }

    /// Opens the section for playback.
    /// - Parameter events: the thread that calls `handler`.
    package func open(
        _ reader: sending AudioFileReader, _ options: StreamingSource.Options, _ events: EventThread? = nil,
        handler: (@Sendable (StreamingEvent) -> Void)? = nil
    ) throws(MediaFailure) -> Opened {
        // Backward playback starts at the end, and a start position must lie before the end, so the length is needed.
        if isReversed || section?.start ?? .zero > .zero {
            do throws(AudioFileError) { try reader.measure() } catch { throw MediaFailure(error) }
        }
        let length = reader.length
        guard length != .exact(0) else { throw reader.shortfall.map { MediaFailure($0) } ?? MediaFailure.noAudio }
        let loop = try loop(reader.format, length)
        // After the length: if the download completes between the two, the loop has no known end, and the reader itself
        // reports the shortfall there.
        let (shortfall, damage) = (shortfall(of: reader), reader.damage)
        do throws(StreamingError) {
            // The orders precede the first read, because damage long before the section is not that of the section.
            let source = try StreamingSource(
                reader, options: options,
                firstOrders: { (source) throws(StreamingError) in
                    try source.setLoop(loop)
                    try source.setRate(speed, keepsPitch: true)
                    source.setDirection(isReversed ? .backward : .forward)
                    try source.seek(to: isReversed ? loop.end : loop.start)
                }, events: events, handler: handler)
            return Opened(source: source, shortfall: shortfall, damage: damage)
        } catch {
            throw MediaFailure(error)
        }
    }

    private func shortfall(of reader: AudioFileReader) -> MediaFailure? {
        guard case .exact(let length) = reader.length else { return nil }
        if let end = section?.end, reader.format.frames(in: end) <= length { return nil }
        return reader.shortfall.map { MediaFailure($0) }
    }

    private func loop(_ format: AudioFormat, _ length: AudioFileLength) throws(MediaFailure) -> StreamLoop {
        let start = section.map { format.frames(in: $0.start) } ?? 0
        let end: Int64
        switch (section?.end.map { format.frames(in: $0) }, length) {
        case (let wanted?, .exact(let length)): end = min(wanted, length)
        case (let wanted?, _): end = wanted
        case (nil, .exact(let length)): end = length
        // The end of the file, which may still be unknown.
        case (nil, _) where !isReversed: end = Self.longest
        case (nil, _): throw MediaFailure(.missing, "the duration is unknown: give the end of the section")
        }
        if let wanted = section?.end, format.frames(in: wanted) == start {
            throw MediaFailure(.missing, "the section is shorter than one PCM frame")
        }
        guard start < end else { throw MediaFailure.endsBeforeSection }
        do throws(StreamingError) {
            return try StreamLoop(
                from: start, to: end, times: times, crossfade: Int(format.frames(in: crossfade)), afterwards: .stop)
        } catch {
            throw MediaFailure(error)
        }
    }

    /// A number of frames longer than any recording.
    private static let longest: Int64 = 1 << 44
}

extension MediaFailure {
    package init(_ error: StreamingError) {
        switch error {
        case .notRenderable(let format): self.init(.badData, "\(format.channels) channels are not supported")
        case .outsideFile: self.init(.missing, "position out of range")
        case .emptyLoop: self.init(.missing, "the section is empty")
        case .negativeCount, .unsupportedRate: self.init(.badData, "the speed or the number of passes is not supported")
        case .noThread: self.init(.temporary, "cannot create a thread")
        }
    }
}

extension MediaFailure {
    /// The failure of a file without a frame.
    static let noAudio = MediaFailure(.badData, "contains no audio")

    static let endsBeforeSection = MediaFailure(.missing, "it ends before the start of the section")
}
