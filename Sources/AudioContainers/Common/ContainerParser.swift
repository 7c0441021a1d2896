// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A pure parser of one audio file: bytes in, packets out. It names the offset of the bytes it needs next, which may
/// jump (to the sample table, past a video track). The result does not depend on how the bytes are chunked.
///
/// Call `next()` until it returns `nil`. Then, unless `isDone`, read bytes at `readOffset` and `append` them, or call
/// `finish` if the file ends at or before `readOffset`.
///
/// All parsers follow these rules:
/// - A file that cannot be played returns `failed` as its last event. So does one that continues in a format that
///   cannot be played, after the packets before; a seek back is possible then. A truncated file returns its complete
///   packets, then ends. Damaged bytes are skipped and reported as `garbage`.
/// - `track` precedes the packets of a track. It may return with the same ordinal, when a part of the file read later
///   states the end more exactly; only `end` and, before the first packet, `start` then differ.
/// - A packet of length 0 stands for `frames` PCM frames of silence. A packet with 0 frames prepares the decoder for
///   the next one: the first packet of Vorbis, at the start and after every jump.
/// - A packet of ADTS may contain several raw data blocks, each with the frames of an AAC packet; `FAADDecoder` decodes
///   all of them. A packet of WAV contains at most 4,096 frames.
/// - To return to a packet, store `point` right after `next()` returned the packet. A point made from the numbers of a
///   packet is not equivalent: Ogg resumes at an earlier page, MP4 at a table.
/// - `seek(to:)` uses tables only. If it returns false, as for Ogg always, approach the frame with `FrameSearch` and
///   `synchronize(from:)`.
/// - AAC may contain SBR without signalling it (`AACConfig.sbr` is `unknown`). Pass the first packets of the track to
///   `FAADDecoder.resolve`. If the result has another format, create the parser again with the result as `assuming`.
public protocol ContainerParser: Sendable {
    /// The offset of the next byte that the parser needs.
    var readOffset: Int64 { get }
    /// The most bytes that are useful in one `append` from `readOffset` on, at least 1; the driver never passes more.
    var readLimit: Int { get }
    /// Ranges that the parser will need soon, out of the order of the file. A driver whose source has not got them
    /// yet requests them while playback has enough bytes, so that the jump does not have to wait.
    var prefetch: [ByteRange] { get }
    /// The length of the file in bytes, `nil` while unknown. The driver sets it; only `length` depends on it.
    var totalLength: Int64? { get set }

    /// Accepts bytes from `readOffset` on; call `next()` until it returns `nil` before the next call.
    mutating func append(_ bytes: UnsafeRawBufferPointer)
    /// Marks the end of the file: no byte exists at `readOffset` or beyond. A later seek may move back before it.
    mutating func finish()
    /// Returns the next event; `nil` if more bytes are needed, or if all is read (`isDone`).
    mutating func next() -> ContainerEvent?
    /// True if all packets were returned, or the file is rejected.
    var isDone: Bool { get }
    /// True if the file has ended without the mark of its end, which only Ogg has, or inside a fragment of MP4.
    var isCutOff: Bool { get }
    /// True if the file has ended inside a packet of a container that states no length, as ADTS.
    var endsInsidePacket: Bool { get }
    /// The failure of audio in the file that Earshot cannot play; `nil` if there is none. Any other failure is that of
    /// a damaged or incomplete file.
    var refusal: MediaFailure? { get }
    /// Calls `body` with the payload of the packet that `next()` returned last, valid inside `body`.
    func withBytes<R>(of packet: AudioPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R

    /// The number of PCM frames of the track before trimming, at the track's rate, with its accuracy.
    var length: TrackLength { get }
    /// The number of those frames that the container declares, also if the file has fewer bytes; `nil` if it declares
    /// none.
    var statedFrames: Int64? { get }
    /// The most frames by which that number may exceed those of all packets, because times are rounded.
    var statedTolerance: Int64 { get }
    /// The position of the packet that `next()` returned last; `nil` before the first one, and if its frame is unknown.
    var point: ContainerPoint? { get }
    /// Moves to the packet that holds the decoded frame `frame` (numbered before trimming) minus the track's pre-roll,
    /// with the container's own tables; the parser reads missing parts of them first. The next packet has an exact
    /// number.
    /// - Returns: false if the container has no table that reaches the frame; nothing changes then.
    mutating func seek(to frame: Int64) -> Bool
    /// Continues at a packet that was returned earlier.
    mutating func resume(at point: ContainerPoint)
    /// Continues at the first packet found at or after `offset`; in fragmented MP4, at the first fragment found there.
    /// The frame number is exact if the container states it (Ogg, FLAC, WAV, MP4), otherwise `nil` (ADTS).
    mutating func synchronize(from offset: Int64)
    /// Returns the byte offset of a decoded frame, where the tables read so far state it.
    func offset(ofFrame frame: Int64) -> Int64?
    /// Returns the decoded frame at a byte offset, where the tables read so far state it.
    func frame(atOffset offset: Int64) -> Int64?
}

extension ContainerParser {
    public var prefetch: [ByteRange] { [] }
    public var isCutOff: Bool { false }
    public var endsInsidePacket: Bool { false }
    public var refusal: MediaFailure? { nil }
    public var statedTolerance: Int64 { 0 }
    public var statedFrames: Int64? { if case .declared(let frames) = length { frames } else { nil } }
}
