// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Listening
import Media
import TerminalInterface

/// How a section of a file is played: what `earshot loop` and `earshot render` share.
struct SectionPlayback: Sendable {
    /// `nil` is the whole file.
    var section: TimeSection?
    /// `nil`: until somebody ends it.
    var times: Int?
    var isReversed: Bool
    var crossfade: Duration
    /// One of `StreamingSource.rates`.
    var speed = 1.0

    /// The section of a file, ready to be played.
    /// - Parameter events: tells `handler` what happens.
    func source(
        of reader: sending AudioFileReader, _ options: StreamingSource.Options, _ events: EventThread? = nil,
        handler: (@Sendable (StreamingEvent) -> Void)? = nil
    ) throws(MediaFailure) -> StreamingSource {
        // Backward it begins at the end, and no place can be found that may lie behind it.
        if isReversed || section?.start ?? .zero > .zero {
            do throws(AudioFileError) { try reader.measure() } catch { throw MediaFailure(error) }
        }
        let loop = try loop(reader.format, reader.length)
        do throws(StreamingError) {
            let source = try StreamingSource(reader, options: options, events: events, handler: handler)
            try source.setLoop(loop)
            try source.setRate(speed)
            source.setDirection(isReversed ? .backward : .forward)
            try source.seek(to: isReversed ? loop.end : loop.start)
            return source
        } catch {
            throw MediaFailure(error)
        }
    }

    /// Why what is played up to the end of a file is not all of what the file promises, as far as that is known.
    func shortfall(of reader: AudioFileReader) -> MediaFailure? {
        guard case .exact(let length) = reader.length else { return nil }
        if let end = section?.end, reader.format.frames(in: end) <= length { return nil }
        return reader.shortfall.map { MediaFailure($0) }
    }

    private func loop(_ format: AudioFormat, _ length: AudioFileLength) throws(MediaFailure) -> StreamLoop {
        guard length != .exact(0) else { throw MediaFailure(.badData, "it holds no sound") }
        let start = section.map { format.frames(in: $0.start) } ?? 0
        let end: Int64
        switch (section?.end.map { format.frames(in: $0) }, length) {
        case (let wanted?, .exact(let length)): end = min(wanted, length)
        case (let wanted?, _): end = wanted
        case (nil, .exact(let length)): end = length
        // It is the file's own, wherever that turns out to be.
        case (nil, _) where !isReversed: end = Self.longest
        case (nil, _): throw MediaFailure(.missing, "its end is not known yet: say where the section ends")
        }
        if let wanted = section?.end, format.frames(in: wanted) == start {
            throw MediaFailure(.missing, "the section is shorter than one frame of it")
        }
        guard start < end else { throw MediaFailure(.missing, "it ends before the section begins") }
        do throws(StreamingError) {
            return try StreamLoop(
                from: start, to: end, times: times, crossfade: Int(format.frames(in: crossfade)), afterwards: .stop)
        } catch {
            throw MediaFailure(error)
        }
    }

    /// Frames: longer than any recording.
    private static let longest: Int64 = 1 << 44
}

extension MediaFailure {
    init(_ error: StreamingError) {
        switch error {
        case .notRenderable(let format): self.init(.badData, "\(format.channels) channels cannot be played")
        case .outsideFile: self.init(.missing, "it has no such place")
        case .emptyLoop: self.init(.missing, "the section is empty")
        case .negativeCount, .unsupportedRate: self.init(.badData, "it cannot be played like that")
        case .noThread: self.init(.temporary, "the system has no thread left")
        }
    }
}
