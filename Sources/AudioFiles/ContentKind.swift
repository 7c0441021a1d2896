// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The type of a file according to its first bytes; its name is ignored.
enum ContentKind: Equatable {
    /// A container with a signature at the beginning, which libsndfile reads.
    case container
    /// Any other content: MPEG audio has no signature, but can be searched for.
    case mpeg

    /// - Throws: `notArrived` if the first bytes have not arrived; `cannotRead`.
    init(_ source: any ByteSource, _ path: String) throws(AudioFileError) {
        var beginning = try Self.beginning(source, at: 0, path)
        // Some programs write an ID3v2 tag before FLAC, too.
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

    /// Returns the bytes required for the decision, or fewer if the file is shorter.
    private static func beginning(
        _ source: any ByteSource, at offset: Int64, _ path: String
    ) throws(AudioFileError) -> [UInt8] {
        let count = 12
        let bytes = source.bytes(at: offset, count: count)
        guard bytes.count < count else { return bytes }
        var byte: UInt8 = 0
        switch withUnsafeMutableBytes(of: &byte, { source.read(at: offset + Int64(bytes.count), into: $0) }) {
        case .notYetAvailable: throw .notArrived(path: path)
        case .failed(let failure): throw .reading(path, failure)
        case .data, .end: return bytes
        }
    }
}
