// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import Media
import Synchronization

/// A generated audio file with the samples that a reader must return.
struct TrackFile: Sendable {
    /// A run of frames in one format: a chained file has several.
    struct Part: Sendable {
        let format: AudioFormat
        let samples: [Float]

        var frames: Int64 { Int64(samples.count / format.channels) }
        var duration: Duration { format.duration(ofFrames: frames) }
    }

    /// The accuracy of a decode that begins in the middle, compared with a linear one.
    enum Accuracy: Sendable, Equatable {
        case bits
        /// The largest difference of two samples.
        case samples(Float)
        /// The largest mean difference of the spectrum in dB.
        case spectrum(Double)
    }

    let kind: ContainerKind
    let bytes: [UInt8]
    let parts: [Part]
    var accuracy = Accuracy.bits

    var duration: Duration { parts.reduce(.zero) { $0 + $1.duration } }

    init(_ kind: ContainerKind, _ bytes: [UInt8], _ parts: Part..., accuracy: Accuracy = .bits) {
        (self.kind, self.bytes, self.parts, self.accuracy) = (kind, bytes, parts, accuracy)
    }

    /// Joins files as `cat` does.
    init(joining files: [TrackFile]) {
        (kind, accuracy) = (files[0].kind, files[0].accuracy)
        (bytes, parts) = (files.flatMap(\.bytes), files.flatMap(\.parts))
    }
}

extension TrackFile.Part {
    /// Decodes packets linearly with the codec's decoder, and trims the frames outside `start..<end`.
    init(_ codec: AudioCodec, _ format: AudioFormat, _ packets: [CodecPacket], start: Int = 0, end: Int? = nil) throws {
        let decoder = try codec.makeDecoder(format: format)
        let all = try decoder.decode(packets)
        let channels = format.channels
        self.format = format
        samples = Array(all[start * channels..<(end.map { $0 * channels } ?? all.count)])
    }
}

extension TrackFile.Accuracy {
    /// Returns true if samples differ from those of a linear decode at most so much.
    func accepts(_ found: [Float], _ wanted: ArraySlice<Float>) -> Bool {
        switch self {
        case .bits: identical(found, wanted)
        case .samples(let most): identical(found, wanted) || difference(found, wanted) <= most
        case .spectrum(let most): LogSpectrum(found).distance(to: LogSpectrum(Array(wanted))) <= most
        }
    }
}

/// The formats of the files that tests read.
enum TrackFileCase: String, CaseIterable, Sendable, CustomStringConvertible {
    case aac = "AAC in MP4, moov first"
    case aacLast = "AAC in MP4, moov last, with iTunSMPB"
    case aacFragments = "AAC in fragmented MP4"
    case adts = "AAC in ADTS"
    case heAAC = "HE-AAC in MP4, not signalled"
    case heADTS = "HE-AAC in ADTS"
    case opus = "Opus in packets of 20 ms"
    case shortOpus = "Opus in packets of 5 ms"
    case longOpus = "Opus in packets of 60 ms"
    case opusInMP4 = "Opus in MP4"
    case vorbis = "Vorbis"
    case flac = "FLAC without a table or a length"
    case flacTable = "FLAC with a seek table and a length"
    case oggFLAC = "FLAC in Ogg"
    case flacInMP4 = "FLAC in MP4"
    case wave = "WAV"
    case rf64 = "RF64"
    case wave64 = "Wave64"
    case aiff = "AIFF"
    case chain = "Opus and Vorbis in one Ogg file"

    var description: String { rawValue }

    private static let files = Mutex<[String: TrackFile]>([:])

    /// Returns a file of about 32 seconds, encoded once.
    func file() throws -> TrackFile { try file(seconds: 32) }

    /// Returns a file of about 1 second, encoded once.
    func shortFile() throws -> TrackFile { try file(seconds: 1) }

    private func file(seconds: Int) throws -> TrackFile {
        try Self.files.withLock { files in
            if let file = files["\(self) \(seconds)"] { return file }
            let file = try TrackEncoder(seconds: seconds).encode(self)
            files["\(self) \(seconds)"] = file
            return file
        }
    }
}
