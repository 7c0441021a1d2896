// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// Renders another source and records what passes.
///
/// ```swift
/// let tap = RecordingTap(mixer, into: recorder)
/// tap.record(48_000..<96_000)   // the second second, to the frame
/// ```
/// Where the source comes short, so does the recording: it holds what was rendered and no silence besides.
public final class RecordingTap: RenderSource {
    private let source: any RenderSource
    private let recorder: RealtimeRecorder
    private let channels: Int
    /// The bit patterns of the first frame recorded and the one behind the last: one word, so that the renderer never
    /// sees half a change.
    private let recorded: Atomic<WordPair>

    /// - Parameters:
    ///   - source: renders what `recorder.format` says.
    ///   - frames: as in `record`; everything from the first slice on, if nothing is said.
    public init(
        _ source: any RenderSource, into recorder: RealtimeRecorder, during frames: Range<Int64> = .min ..< .max
    ) {
        self.source = source
        self.recorder = recorder
        channels = recorder.format.channels
        recorded = Atomic(Self.words(of: frames))
    }

    /// Records these frames of the graph's timeline and no others, from the next slice on. Any thread. A moment of the
    /// machine's clock becomes a frame by `GraphClock.sampleTime`.
    public func record(_ frames: Range<Int64>) { recorded.store(Self.words(of: frames), ordering: .relaxed) }

    public var renderedSources: [any RenderSource] { [source] }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let rendered = source.render(into: output, frames: frames, at: outputFrame)
        let (first, count) = recordedPart(of: rendered, at: outputFrame)
        if count > 0 { recorder.push(output + first * channels, frames: count) }
        return rendered
    }

    @_noLocks @_noAllocation
    private func recordedPart(of frames: Int, at outputFrame: Int64) -> (first: Int, count: Int) {
        let words = recorded.load(ordering: .relaxed)
        let start = max(Int64(bitPattern: UInt64(words.first)), outputFrame)
        let end = min(Int64(bitPattern: UInt64(words.second)), outputFrame &+ Int64(frames))
        return start < end ? (Int(start &- outputFrame), Int(end &- start)) : (0, 0)
    }

    private static func words(of frames: Range<Int64>) -> WordPair {
        WordPair(first: UInt(bitPattern: Int(frames.lowerBound)), second: UInt(bitPattern: Int(frames.upperBound)))
    }
}
