// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioDecoding
import Media

/// Reads the frames of another reader in another format.
///
/// At another rate, N frames become round(N × ratio). After a seek the converter starts at a frame that coincides
/// with a whole frame of the other rate, early enough that its initial state has no effect. The output then differs
/// from a conversion without seeks only by the rounding of libsyn123's recursive filters with a different history:
/// measured with white noise of full scale, 6.3e-6 between 44.1 and 48 kHz, 2e-5 from 48 to 8 kHz, 1.3e-4 down to
/// exactly a quarter, for any run-up.
final class ConvertingReader: AudioFrameReader {
    let format: AudioFormat
    private(set) var position: Int64 = 0

    private let path: String
    private let source: any AudioFrameReader
    private let ratio: RateRatio
    private let block: AudioBufferList
    private var converter: AudioConverter
    private var backlog: PendingFrames
    /// The number of frames to produce before the one at `position`.
    private var framesToSkip: Int64 = 0
    private var stage = Stage.sought

    private enum Stage {
        /// `source` and the converter are at another position.
        case sought
        case running
        /// All frames of `source` were converted, and the converter is drained.
        case drained
    }

    private static let blockFrames = 4096

    /// - Throws: `unsupportedFormat`.
    init(_ source: any AudioFrameReader, to format: AudioFormat, path: String) throws(AudioFileError) {
        (self.source, self.format, self.path) = (source, format, path)
        ratio = RateRatio(from: source.format.sampleRate, to: format.sampleRate)
        converter = try Self.converter(from: source.format, to: format)
        block = AudioBufferList(format: source.format, frameCapacity: Self.blockFrames)
        backlog = PendingFrames(format: format)
    }

    var length: AudioFileLength {
        switch source.length {
        case .exact(let frames): .exact(ratio.output(for: frames))
        case .estimate(let frames): .estimate(ratio.output(for: frames))
        case .unknown: .unknown
        }
    }

    func seek(to frame: Int64) {
        guard frame != position else { return }
        position = max(0, frame)
        stage = .sought
    }

    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead {
        if stage == .sought { try approach() }
        var filled = 0
        while true {
            framesToSkip -= Int64(backlog.drop(Int(clamping: framesToSkip)))
            if framesToSkip == 0 { filled += backlog.read(into: slice.dropFirst(filled)) }
            guard filled < slice.frames, stage == .running else { break }
            do throws(AudioFileError) {
                guard try feed(atMost: slice.frames - filled) else {
                    guard filled > 0 else { return .notYetAvailable }
                    break
                }
            } catch {
                // The frames produced before the error count; the next read throws the error.
                if filled > 0 { break }
                stage = .sought
                throw error
            }
        }
        position += Int64(filled)
        return filled > 0 ? .frames(filled) : .end
    }
}

extension ConvertingReader {
    private func approach() throws(AudioFileError) {
        let start = ratio.start(for: position)
        try source.seek(to: start)
        // A drained converter passes its rounding error on to the next piece, but this one is not contiguous.
        converter = try Self.converter(from: source.format, to: format)
        backlog.removeAll()
        framesToSkip = position - ratio.output(for: start)
        stage = .running
    }

    /// Converts one block, or drains the converter at the end of `source`.
    /// - Returns: `false` if the next block is not yet available.
    private func feed(atMost wanted: Int) throws(AudioFileError) -> Bool {
        // At the same rate, only the requested frames are converted, so that none is left over.
        let room = ratio.isOne ? min(wanted, Self.blockFrames) : Self.blockFrames
        switch try source.read(into: block.allFrames.dropFirst(0, count: room)) {
        case .notYetAvailable: return false
        case .frames(let count):
            converter.convert(block.allFrames.dropFirst(0, count: count)) { backlog.append($0) }
        case .end:
            do throws(AudioConversionError) {
                try converter.drain { backlog.append($0) }
            } catch {
                throw .cannotRead(path: path, reason: "cannot convert the sample rate: \(error)")
            }
            stage = .drained
        }
        return true
    }

    private static func converter(
        from source: AudioFormat, to target: AudioFormat
    ) throws(AudioFileError) -> AudioConverter {
        do throws(AudioConversionError) {
            return try AudioConverter(from: source, to: target)
        } catch {
            throw .unsupportedFormat(reason: error.phrase)
        }
    }
}

extension AudioConversionError {
    var phrase: String {
        switch self {
        case .unsupportedChannels(let channels): "cannot convert \(channels) channels"
        case .unsupportedRate(let from, let to): "cannot convert from \(from) Hz to \(to) Hz"
        case .unusableMatrix(let reason), .cannotStart(let reason): reason
        }
    }
}
