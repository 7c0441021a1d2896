// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A parser of Opus, Vorbis and FLAC in Ogg. It plays the first audio stream of each group of multiplexed streams, and
/// the chained streams one after another. Sources: RFC 3533, RFC 7845, Vorbis I section A, RFC 9639 section 10.1.
///
/// Each page is checked as a whole before its packets are returned, and its granule position numbers them. Memory: one
/// page, one packet that continues over several pages, a few bytes for each chained stream.
public struct OggParser: ContainerParser {
    enum Phase: Sendable {
        /// At the start of the file or after a tag, where another tag may precede the first page.
        case start
        /// A page is expected at `position`.
        case synced
        /// Searches for a page since that offset; the bytes up to it are reported as garbage if they are damaged.
        case searching(since: Int64, isDamage: Bool)
        case done
    }

    enum Output: Sendable {
        case event(ContainerEvent)
        case packet(AudioPacket, OggPacket.Payload, ContainerPoint)

        /// True if a jump discards it.
        var belongsToPosition: Bool {
            switch self {
            case .event(let event): event.belongsToPosition
            case .packet: true
            }
        }
    }

    public var totalLength: Int64?

    var window = ByteWindow()
    /// The offset before which all bytes are parsed.
    var position: Int64 = 0
    var phase = Phase.start
    var budget = SearchBudget()
    var links = ChainedStreams()
    var link: OggLink?
    /// True while only first pages of streams were found since the last other page.
    var isInGroup = false
    var hasAudioInGroup = false
    public internal(set) var refusal: MediaFailure?
    /// The failure of the first stream whose first packet is damaged.
    var damage: MediaFailure?
    /// The last tag before the first page; empty if a page is searched for inside it.
    var tag: Range<Int64>?

    var hasFailed = false

    var jump: StreamJump?
    /// The offset of the last jump, until the first page after it.
    var jumpTarget: Int64?
    /// The number of the first packet to use in the page at `jumpTarget`.
    var firstIndex: Int64 = 0
    /// Packets of pages before this offset are not returned, after a jump.
    var silentBefore: Int64 = 0
    /// The distance to go back from a page that does not state its number.
    var retreat = 2 * OggPage.longest
    var isAfterJump = false

    private var outputs = EventQueue<Output>()
    private var current: (payload: OggPacket.Payload, point: ContainerPoint)?

    /// Creates a parser that starts at byte 0.
    public init() {}

    /// Returns true if the first bytes of a file, or the first bytes after its ID3v2 tag, are those of an Ogg page.
    public static func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: "OggS".utf8) }

    public var readOffset: Int64 { window.end }
    public var readLimit: Int { 64 << 10 }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        window.append(bytes, keepingFrom: position)
    }

    public mutating func finish() { window.finish() }

    public mutating func next() -> ContainerEvent? {
        current = nil
        while true {
            if let event = takeOutput() { return event }
            guard !isDone, case .moved = step() else { return nil }
        }
    }

    public var isDone: Bool {
        if case .done = phase { outputs.isEmpty } else { false }
    }

    public var isCutOff: Bool { isDone && !hasFailed && link?.isOver != true }

    public func withBytes<R>(of packet: AudioPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        guard let current else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return try current.payload.withBytes(in: window, body)
    }

    public var point: ContainerPoint? { current?.point }

    public var length: TrackLength {
        guard let link else { return .unknown }
        if let frames = links.frames(of: link.ordinal) { return .exact(frames) }
        guard let start = link.audioStart, let frames = link.clock.next else { return .unknown }
        return LengthEstimate.length(frames: frames, bytes: position - start, total: totalLength.map { $0 - start })
    }

    /// Ogg has no tables.
    public func offset(ofFrame frame: Int64) -> Int64? { nil }
    public func frame(atOffset offset: Int64) -> Int64? { nil }

    private mutating func takeOutput() -> ContainerEvent? {
        switch outputs.popFirst() {
        case .event(let event)?: return event
        case .packet(let packet, let payload, let point)?:
            current = (payload, point)
            return .packet(packet)
        case nil: return nil
        }
    }

    mutating func queue(_ event: ContainerEvent) { outputs.append(.event(event)) }

    mutating func queue(_ packet: AudioPacket, _ payload: OggPacket.Payload, _ point: ContainerPoint) {
        outputs.append(.packet(packet, payload, point))
    }

    /// Discards the packets that were not returned yet, and the reports of damage between them.
    mutating func discardPackets() {
        outputs.removeAll(where: \.belongsToPosition)
        current = nil
    }

    mutating func fail(_ failure: MediaFailure) {
        discardPackets()
        queue(.failed(failure))
        (phase, jump, hasFailed) = (.done, nil, true)
    }
}
