// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A parser of the audio track of MP4, M4A, M4B and QuickTime files, whole or fragmented.
///
/// The tables of a track stay in the file; the parser loads one block of each. In a file whose `moov` comes first, it
/// reads the boxes up to the first 16 KB of the sample sizes and continues at the first packet, which stands after the
/// header of `mdat`: an hour of AAC has 600 KB of sample sizes, but its sound starts after 40 KB. It reads the rest of
/// `moov` and the next sizes when those of 30 seconds are left.
///
/// ```
/// boxes ──moov──▶ movie ──▶ locating ──▶ samples ──30 s of sizes left──▶ movie (the rest) ──▶ locating
///   ▲ │            │  ▲                     │
///   │ │            ▼  │ not as expected     └──last sample──▶ done, or boxes (fragments)
///   │ │       predicting ──▶ samples
///   │ └─moof──▶ fragment ──▶ fragmentSamples ──┐
///   └──────────────────────────────────────────┘          damage in fragments: scanning ──moof──▶ fragment
/// ```
/// Source: ISO/IEC 14496-12, 14496-14; QuickTime File Format.
public struct MP4Parser: ContainerParser {
    /// What a parser reads.
    public enum Purpose: Sendable, Equatable {
        /// The packets, and the tags that are found on the way. Covers of more than 64 KB are skipped.
        case packets
        /// Tags, cover and chapters, but not the titles in the samples of a chapter track; no packets. The parser jumps
        /// from one to the next.
        case tags
        /// The gain in the tags; no chapter tracks and no packets. Covers of more than 64 KB are skipped.
        case gain
    }

    enum Phase: Sendable, Equatable {
        /// Expects a box of the file at `position`.
        case boxes
        /// Walks through `moov`.
        case movie
        /// Searches for the packet of `goal` in the tables.
        case locating
        /// Searches for `mdat` after `moov` and compares its first bytes with the sample sizes.
        case predicting
        /// Returns the samples of `table`.
        case samples
        /// Walks through `moof`.
        case fragment
        /// Returns the samples of `fragmentSamples`.
        case fragmentSamples
        /// Searches for a `moof` from `position` on; the bytes since `lossStart` are garbage.
        case scanning
        /// Walks through the tables of the chapter tracks.
        case chapters
        case done
    }

    /// The packets to pass over without an event.
    enum Skip: Sendable, Equatable {
        /// Those that end at or before a frame.
        case frame(Int64)
        /// Those that begin before an offset.
        case offset(Int64)
        /// The first ones of a fragment, up to the sample with this number, which begins with this frame.
        case index(Int64, frame: Int64)
    }

    let purpose: Purpose
    let foundConfig: AACConfig?
    public var totalLength: Int64?

    var window = ByteWindow()
    var phase = Phase.boxes
    /// The offset of the next box of the file.
    var position: Int64 = 0
    var pending: [ContainerEvent] = []
    /// The payload of the packet returned last.
    var payload: ByteRange = 0..<0
    public internal(set) var point: ContainerPoint?
    /// The start of the content of the first `mdat`, if it stands before `moov`.
    var firstData: Int64?
    /// Boxes of the file that may still be read before the next packet.
    var boxesLeft = mostBoxes
    static let mostBoxes = 50_000

    // `moov`
    /// The walk through `moov`; kept while it is interrupted.
    var walker: MovieWalker?
    /// The parts of the media that the sample durations omit, in units of the media timescale; `nil` before they are
    /// read.
    var omissions: [Range<Int64>]?
    var joinedParts: JoinedParts?
    /// The tags reported so far.
    var reportedTags = MP4Tags()
    var track: AudioTrack?
    var trackBox: TrackBox?
    var clock = TrackClock(rate: 1, timescale: 1)

    // The samples of `moov`
    var table: SampleTable?
    var locator: SampleLocator?
    /// The goal to search for once `moov` is read.
    var goal: SampleLocator.Goal?
    /// The table that is tried without `stco`; kept to try it once.
    var prediction: SampleTable?
    /// The offset up to which `moov` is read without a gap, if it must be; `nil` if entries of tables are skipped.
    var orderedEnd: Int64?
    var skip: Skip?
    /// What the packets read so far have in common.
    var pattern = RawDataBlockPattern()
    /// The packets of `table`: every 256th, and the last one.
    var checkpoints = SeekCheckpoints()
    var hasReturnedPacket = false
    /// True after a jump: there may be packets before its target.
    var hasJumped = false
    /// The frame after the last packet returned since the last seek, or the one to resume at.
    var lastEnd: Int64?
    /// The frames by which the tables place packets of Opus and FLAC later than they are; `nil` before the first one
    /// after a jump.
    var timeShift: Int64?
    /// True if the tables state the last packet shorter than it is.
    var isAfterShortPacket = false
    /// The frame after the last packet of the file, once it was returned.
    var countedEnd: Int64?
    /// The walk through the tables of the chapter tracks.
    var chapterWalker: ChapterTrackWalker?

    // Fragments
    var fragmentWalker: FragmentWalker?
    var fragmentSamples: FragmentSamples?
    /// The fragments read, at a distance of five seconds or more.
    var fragments = SeekCheckpoints()
    /// The decoding time of the first fragment, and its offset.
    var fragmentBase: Int64?
    var firstFragment: Int64?
    /// The stated duration of the first packet of that fragment.
    var firstDuration: Int64?
    /// The pre-skip that the first fragment omits, and so the decoding times of the others.
    var omittedPreSkip: OmittedPreSkip?
    /// The first frame of the next packet; `nil` if it is unknown.
    var nextFrame: Int64?
    /// What the packets since the last stated time tell of the next one; `nil` after a jump.
    var fragmentTimes: FragmentTimes?
    /// The packets that wait for the next one, those of them that are pending, and the packet returned last if it has
    /// waited.
    var held: [HeldPacket] = []
    var releasing: [HeldPacket] = []
    var released: HeldPacket?
    /// The border between two parts of a joined file that the last packet belongs to.
    var border: FragmentBorder?
    /// The offsets of the first packets of the borders read so far.
    var borders: Set<Int64> = []
    /// The stated duration of the last packet; `nil` at the start, and after a jump to a fragment that was read before.
    var lastLength: FragmentBorder.Length?
    /// The time by which the first packet is declared longer than it decodes, if it is much longer.
    var firstDelay: Int64 = 0
    /// The frames of the fragments read so far.
    var readFrames = ByteRangeSet()
    /// The frame after the last one of them, and the offset after its fragment.
    var frontier: (frame: Int64, offset: Int64) = (0, 0)
    /// The places of `sidx`, the frame that its times begin with, and the end of the last one.
    var segments = SeekCheckpoints()
    var segmentsStart: Int64?
    var segmentsEnd: (frame: Int64, offset: Int64)?
    /// True if the `moov` of an appended file was found, whose times begin again: an index no longer counts.
    var hasNextMovie = false
    var lossStart: Int64 = 0
    /// True if the sound of a fragment was lost since the last packet.
    var hasLostFragment = false
    /// True if the file has ended inside a fragment or another box.
    public internal(set) var isCutOff = false
    public internal(set) var refusal: MediaFailure?

    /// - Parameter config: the configuration that `FAADDecoder.resolve` found for a file that does not signal SBR.
    public init(_ purpose: Purpose = .packets, assuming config: AACConfig? = nil) {
        self.purpose = purpose
        foundConfig = config
    }

    /// Returns true if a file that begins with these bytes, at least 8, may be an MP4 or QuickTime file.
    public static func recognizes(_ head: [UInt8]) -> Bool {
        let types: [FourCC] = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx"]
        var fields = ByteFields(head)
        // A size of 0 or 1 is not that of the box: it extends to the end of the file, or the size follows the type.
        guard let size = fields.number(4), size < 2 || size >= 8, let type = fields.bytes(4) else { return false }
        return types.contains(FourCC(type))
    }

    public var readOffset: Int64 { window.readOffset }
    public var readLimit: Int { window.readLimit }
    public var isDone: Bool { phase == .done && pending.isEmpty }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) { window.append(bytes) }
    public mutating func finish() { window.finish() }

    public mutating func next() -> ContainerEvent? {
        settle()
        guard !pending.isEmpty else { return nil }
        let event = pending.removeFirst()
        if case .packet = event, !releasing.isEmpty {
            let packet = releasing.removeFirst()
            (released, point) = (packet, packet.point)
        }
        return event
    }

    /// Makes steps until an event is pending, bytes are missing, or all is read.
    mutating func settle() {
        while pending.isEmpty, phase != .done {
            do throws(Interruption) {
                try step()
            } catch {
                switch error {
                case .missing(let range):
                    return window.want(range, usefulUpTo: usefulEnd(for: range), keepingFrom: stepStart)
                case .beyondEnd: endReached()
                case .damaged: damageFound()
                }
            }
        }
    }

    public func withBytes<R>(of packet: AudioPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        if let released { return try released.bytes.withUnsafeBytes(body) }
        return try window.withBytes(of: payload, body)
    }

    /// The offset of the first byte that the current step reads.
    private var stepStart: Int64 {
        switch phase {
        case .predicting: firstData ?? position
        case .boxes, .scanning: position
        case .movie: walker?.position ?? position
        case .fragment: fragmentWalker?.position ?? position
        case .locating, .samples, .fragmentSamples, .chapters, .done: .max
        }
    }

    private mutating func step() throws(Interruption) {
        switch phase {
        case .boxes: try readBox()
        case .movie: try walkMovie()
        case .locating: try locate()
        case .predicting: try predict()
        case .samples: try deliverSample()
        case .fragment: try walkFragment()
        case .fragmentSamples: try deliverFragmentSample()
        case .scanning: try scan()
        case .chapters: try readChapters()
        case .done: break
        }
    }

    mutating func fail(_ reason: String) {
        pending.append(.failed(MediaFailure(.badData, reason)))
        phase = .done
    }
}
