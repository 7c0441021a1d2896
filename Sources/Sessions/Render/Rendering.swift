// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import AudioFiles
import EpisodeSources
import Glibc
import Media
import Synchronization
import TerminalInterface

/// The output file and its statistics.
struct Rendering {
    let writer: AudioFileWriter
    let format: AudioFormat
    let decibels: Double
    let canClip: Bool
    private(set) var frames: Int64 = 0
    private var clipped = 0
    /// The peak before the gain.
    private var peak: Float = 0
    /// The error that stopped writing.
    private(set) var failure: AudioFileError?
    /// The fades at both ends; `nil` without fades.
    private var fade: EdgeFade?

    init(writer: AudioFileWriter, format: AudioFormat, decibels: Double, fade: Duration, canClip: Bool) {
        (self.writer, self.format, self.decibels, self.canClip) = (writer, format, decibels, canClip)
        let frames = Int(format.frames(in: fade))
        self.fade = frames > 0 ? EdgeFade(frames: frames, channels: format.channels) : nil
    }

    /// - Returns: the first damage that was written as silence or skipped.
    mutating func append(
        _ reader: sending AudioFileReader, _ play: SectionPlayback, _ progress: RenderProgress
    ) throws(MediaFailure) -> MediaFailure? {
        let section = try play.open(reader, .exact)
        let source = section.source
        source.play()
        // Waits for a stalled download until the work is stopped.
        var renderer = OfflineRenderer(source, format: format) { frames, _ in
            while !source.prime(frames: frames, atMost: .seconds(1)) {
                guard !progress.stop.isSet, source.status.failure == nil else { return }
            }
        }
        var isEmpty = true
        do throws(AudioFileError) {
            try renderer.render(frames: .max) { (block) throws(AudioFileError) in
                guard !progress.stop.isSet else { throw .cancelled }
                isEmpty = isEmpty && block.frames == 0
                try take(block)
                progress.frames.store(frames, ordering: .relaxed)
            }
        } catch {
            throw MediaFailure(error)
        }
        guard !progress.stop.isSet else { throw MediaFailure(.temporary, "interrupted") }
        let status = source.status
        if let failure = status.failure { throw MediaFailure(failure) }
        guard status.hasFinished else { throw MediaFailure(.unavailable, "the server sends no more data") }
        if let shortfall = section.shortfall { throw shortfall }
        if isEmpty {
            // A download whose length was not known before may end before the section.
            let startsLater = play.section.map { $0.start > .zero } ?? false
            throw startsLater ? MediaFailure.endsBeforeSection : MediaFailure.noAudio
        }
        return section.damage.first.map { MediaFailure($0) }
    }

    private mutating func take(_ block: AudioBufferSlice) throws(AudioFileError) {
        let samples = UnsafeBufferPointer(
            start: UnsafePointer(block.plane(0).assumingMemoryBound(to: Float.self)),
            count: block.frames * format.channels)
        guard let ready = fade?.process(samples) else { return try append(block) }
        try append(ready)
    }

    private mutating func append(_ samples: [Float]) throws(AudioFileError) {
        guard !samples.isEmpty else { return }
        var samples = samples
        let result = samples.withUnsafeMutableBufferPointer { samples in
            Result { () throws(AudioFileError) in
                guard let start = samples.baseAddress else { return }
                try append(AudioBufferSlice(start, frames: samples.count / format.channels, format: format))
            }
        }
        try result.get()
    }

    private mutating func append(_ block: AudioBufferSlice) throws(AudioFileError) {
        let samples = block.plane(0).assumingMemoryBound(to: Float.self)
        let count = block.frames * format.channels
        // Samples are finite before the gain.
        if canClip { peak = max(peak, VectorOperations.peak(samples, count: count)) }
        if decibels != 0 { VectorOperations.multiply(samples, count: count, by: Float(pow(10, decibels / 20))) }
        if canClip {
            clipped += VectorOperations.clipCount(samples, count: count)
        }
        do throws(AudioFileError) { try writer.write(block) } catch {
            failure = error
            throw error
        }
        frames += Int64(block.frames)
    }

    mutating func finish(as path: String) throws(MediaFailure) -> RenderedFile {
        do throws(AudioFileError) {
            try append(fade?.finish() ?? [])
            try writer.close()
        } catch { throw MediaFailure(error) }
        return RenderedFile(
            path: path, duration: format.duration(ofFrames: frames), clipped: clipped,
            fittingGain: peak > 0 ? -20 * log10(Double(peak)) : decibels)
    }
}

extension AudioFileEncoding {
    /// True if the encoding can store samples beyond full scale.
    var isFloat: Bool { self == .float32 || self == .float64 }
}
