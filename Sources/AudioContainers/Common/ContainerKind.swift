// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
public import Media

/// The kinds of container that Earshot plays besides plain MPEG audio.
public enum ContainerKind: Sendable, Equatable, CaseIterable {
    case mp4, adts, ogg, flac
    /// WAV, RF64, Wave64, AIFF.
    case wave

    /// Creates a parser that starts at byte 0.
    /// - Parameter config: the result of `FAADDecoder.resolve` for an AAC file that does not signal SBR.
    public func makeParser(assuming config: AACConfig? = nil) -> any ContainerParser {
        switch self {
        case .mp4: MP4Parser(assuming: config)
        case .adts: ADTSParser(assuming: config)
        case .ogg: OggParser()
        case .flac: FLACParser()
        case .wave: WAVParser()
        }
    }
}

/// The parser that reads a file, as its first bytes show.
public enum ContainerIdentification: Sendable, Equatable {
    case container(ContainerKind)
    /// MPEG audio, plain or in WAV, or unknown bytes: the MPEG parser searches them for frames.
    case mpeg
    /// A known format that Earshot cannot play.
    case unsupported(MediaFailure)
    /// The answer depends on more bytes: repeat with the bytes from this offset on. It lies after an ID3v2 tag, or it
    /// is the offset passed and more bytes are needed.
    case undecided(at: Int64)

    /// The number of bytes from an offset on that suffice.
    public static let prefixLength = 64 << 10

    /// Identifies a file.
    /// - Parameters:
    ///   - head: bytes of the file from `offset` on; more than `prefixLength` are not needed.
    ///   - offset: 0, then the offset that `undecided` states.
    ///   - isComplete: true if the file ends with `head`.
    public init(_ head: [UInt8], at offset: Int64 = 0, isComplete: Bool = false) {
        let isComplete = isComplete || head.count >= Self.prefixLength
        var start = 0
        while let length = ID3v2Metadata.tagLength(header: Array(head[start...].prefix(ID3Tag.headerLength))) {
            guard length < head.count - start else {
                self = .undecided(at: offset + Int64(start + length))
                return
            }
            start += length
        }
        let rest = Array(head[start...])
        guard isComplete || rest.count >= Self.leastBytes else {
            self = .undecided(at: offset + Int64(start))
            return
        }
        let found = Self.stream(rest, isComplete) ?? Self.file(rest, isComplete, isTagged: offset > 0 || start > 0)
        self = found == .undecided(at: 0) ? .undecided(at: offset + Int64(start)) : found
    }

    /// The bytes that identify every format but those whose answer depends on more.
    private static let leastBytes = WaveContainer.longestHeader
}

extension ContainerIdentification {
    /// Identifies formats that may follow an ID3v2 tag.
    private static func stream(_ head: [UInt8], _ isComplete: Bool) -> ContainerIdentification? {
        if FLACParser.recognizes(head) { return .container(.flac) }
        if OggParser.recognizes(head) { return .container(.ogg) }
        guard let first = ADTSHeader(head[...]) else { return nil }
        // One header may occur by chance; the second one stands at the place that the first one implies.
        guard head.count >= first.length + ADTSHeader.byteCount else { return isComplete ? nil : .undecided(at: 0) }
        return ADTSHeader(head[first.length...])?.stream == first.stream ? .container(.adts) : nil
    }

    /// - Parameter isTagged: true if an ID3v2 tag stands before the bytes.
    private static func file(_ head: [UInt8], _ isComplete: Bool, isTagged: Bool) -> ContainerIdentification {
        if MP4Parser.recognizes(head) {
            // The offsets in the index do not count the tag, or they do.
            return isTagged ? .unsupported(.unplayable("an MP4 file behind an ID3 tag")) : .container(.mp4)
        }
        if let container = WaveContainer(head.prefix(WaveContainer.longestHeader)) {
            guard let isMPEG = container.containsMPEG(head) else {
                return isComplete ? .container(.wave) : .undecided(at: 0)
            }
            return isMPEG ? .mpeg : .container(.wave)
        }
        guard !isTagged else { return recording(head, isComplete) }
        switch UnplayableFormat.search(head, isComplete: isComplete) {
        case .found(let format): return .unsupported(.unplayable(format.name))
        case .absent: return recording(head, isComplete)
        case .undecided: return .undecided(at: 0)
        }
    }

    /// Identifies a recording of a stream, which may begin inside a frame.
    private static func recording(_ head: [UInt8], _ isComplete: Bool) -> ContainerIdentification {
        if MPEGFrameHeader(head.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }) != nil { return .mpeg }
        if ADTSSyncProbe.isFound(in: head) { return .container(.adts) }
        return isComplete || head.count >= ADTSSyncProbe.prefixLength ? .mpeg : .undecided(at: 0)
    }
}
