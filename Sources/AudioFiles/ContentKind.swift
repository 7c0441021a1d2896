// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// What the first bytes of a file say that it is; its name says nothing.
enum ContentKind: Equatable {
    /// A container with its name in front, which libsndfile reads.
    case container
    /// None of those: MPEG audio has no name, but can be searched for.
    case mpeg

    /// - Throws: `notArrived` where these bytes have not; `cannotRead`.
    init(_ source: any ByteSource, _ path: String) throws(AudioFileError) {
        var beginning = try Self.beginning(source, at: 0, path)
        // Some programs put an ID3v2 tag in front of FLAC, too.
        if let length = ID3v2Metadata.tagLength(header: beginning) {
            beginning = try Self.beginning(source, at: Int64(length), path)
        }
        self.init(beginning)
    }

    init(_ beginning: [UInt8]) {
        let form = beginning.dropFirst(8).prefix(4)
        self =
            switch String(decoding: beginning.prefix(4), as: UTF8.self) {
            case "RIFF", "RIFX", "RF64": form.elementsEqual("WAVE".utf8) ? .container : .mpeg
            case "FORM": form.elementsEqual("AIFF".utf8) || form.elementsEqual("AIFC".utf8) ? .container : .mpeg
            case "caff", "fLaC", "OggS": .container
            default: .mpeg
            }
    }

    /// As many as it takes, or fewer where the file ends before.
    private static func beginning(
        _ source: any ByteSource, at offset: Int64, _ path: String
    ) throws(AudioFileError) -> [UInt8] {
        let count = 12
        let bytes = source.bytes(at: offset, count: count)
        guard bytes.count < count else { return bytes }
        var byte: UInt8 = 0
        switch withUnsafeMutableBytes(of: &byte, { source.read(at: offset + Int64(bytes.count), into: $0) }) {
        case .edge: throw .notArrived(path: path)
        case .failed(let failure): throw .reading(path, failure)
        case .data, .end: return bytes
        }
    }
}
