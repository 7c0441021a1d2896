// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// A source that renders another source and records it.
///
/// ```swift
/// let tap = RecordingTap(mixer, into: recorder)
/// tap.record(48_000..<96_000)   // the second second, to the frame
/// ```
/// If the source delivers fewer frames than requested, the recording contains only those, without added silence.
public final class RecordingTap: RenderSource {
    private let source: any RenderSource
    private let recorder: RealtimeRecorder
    private let channels: Int
    /// The bit patterns of the first recorded frame and of the frame after the last one, in one atomic pair of words,
    /// so that the renderer never sees half of a change.
    private let recorded: Atomic<WordPair>

    /// - Parameters:
    ///   - source: renders in `recorder.format`.
    ///   - frames: as in `record`; by default, everything from the first slice on.
    public init(
        _ source: any RenderSource, into recorder: RealtimeRecorder, during frames: Range<Int64> = .min ..< .max
    ) {
        self.source = source
        self.recorder = recorder
        channels = recorder.format.channels
        recorded = Atomic(Self.words(of: frames))
    }

    /// Records exactly these frames of the graph's timeline, from the next slice on. Any thread may call it.
    /// `GraphClock.sampleTime` converts a moment of the machine's clock to a frame.
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
