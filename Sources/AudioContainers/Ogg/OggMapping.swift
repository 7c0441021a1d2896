// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The mapping of a codec into Ogg: its header packets, and the durations of its audio packets.
protocol OggMapping: Sendable {
    /// The codec and the format of the track; its trimming without that of the first and last page. `nil` before the
    /// header that states them.
    var track: AudioTrack? { get }
    /// The tags of the headers parsed so far.
    var comments: VorbisComments { get }
    /// True if the granule position of the first page may state that frames are dropped at the start.
    var trimsStart: Bool { get }
    /// True if the granule position of the last page may state that frames are dropped at the end.
    var trimsEnd: Bool { get }
    /// The most PCM frames by which a page may count too many if a program has moved the durations of its packets to
    /// the packets before them.
    var longestLag: Int64 { get }
    /// True if the first packet after a jump only prepares the decoder for the next one.
    var needsPreparingPacket: Bool { get }

    /// Accepts a piece of a header packet after the first one.
    mutating func readHeader(_ piece: UnsafeRawBufferPointer, isBeginning: Bool, isEnding: Bool) -> OggHeaderStep
    /// Returns the number of PCM frames that a decoder yields for the packet after those before; `nil` if the packet
    /// is not a valid audio packet.
    mutating func frames(of packet: UnsafeRawBufferPointer) -> Int?
    /// Returns the position of the end of a page whose packets were measured, as the page or its packets state it.
    func granule(of page: OggPage) -> Int64?
    /// Forgets the previous packet, as a decoder does that is reset.
    mutating func reset()
}

extension OggMapping {
    func granule(of page: OggPage) -> Int64? { page.granule }
}

/// The state of the headers after a piece.
enum OggHeaderStep {
    case needsMore
    /// The next packet is audio.
    case complete
    /// The piece does not belong to a header: the audio begins with it.
    case isAudio
    case failed(MediaFailure)
}

/// The codec of a stream, as identified by its first packet.
enum OggCodec {
    case supported(any OggMapping)
    /// Audio that Earshot cannot play.
    case refused(MediaFailure)
    /// Audio whose first packet is damaged.
    case damaged(MediaFailure)
    /// Another kind of stream: video, text, an index.
    case ignored

    /// - Parameter packet: The bytes of the first packet in the first page.
    init(_ packet: ArraySlice<UInt8>) {
        do throws(CodecHeaderError) {
            if packet.starts(with: "OpusHead".utf8) {
                self = .supported(OggOpus(head: try OpusHead(packet)))
            } else if packet.starts(with: "\u{1}vorbis".utf8) {
                self = .supported(OggVorbis(try VorbisIdentification(packet), bytes: Array(packet.prefix(30))))
            } else if packet.starts(with: "\u{7F}FLAC".utf8) || packet.starts(with: "fLaC".utf8) {
                self = .supported(try OggFLAC(packet))
            } else {
                self = Self.named(packet)
            }
        } catch {
            switch error {
            case .damaged(let failure): self = .damaged(failure)
            case .unsupported(let failure): self = .refused(failure)
            }
        }
    }

    private static func named(_ packet: ArraySlice<UInt8>) -> OggCodec {
        let names = [
            ("Speex   ", "Speex"), ("CELT    ", "CELT"), ("PCM     ", "PCM"), ("\u{1}audio", "an OGM audio stream"),
            ("\u{4}Midi", "MIDI"),
        ]
        guard let found = names.first(where: { packet.starts(with: $0.0.utf8) }) else { return .ignored }
        return .refused(.unplayable("\(found.1) in Ogg"))
    }
}
