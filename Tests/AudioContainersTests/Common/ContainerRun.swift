// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

/// An event of a parser, with the payload and the point of a packet.
struct Record: Equatable {
    let event: ContainerEvent
    let payload: [UInt8]
    let point: ContainerPoint?

    var packet: AudioPacket? { if case .packet(let packet) = event { packet } else { nil } }
    var track: AudioTrack? { if case .track(let track) = event { track } else { nil } }
    var garbage: Range<Int64>? { if case .garbage(let range) = event { range } else { nil } }
    var failure: String? { if case .failed(let failure) = event { failure.reason } else { nil } }
    var metadata: AudioMetadata? { if case .metadata(let metadata) = event { metadata } else { nil } }
}

/// Feeds a file to a parser in pieces, as a driver does, and records its events.
struct ContainerRun {
    var parser: any ContainerParser
    let bytes: [UInt8]
    /// Returns the length of the next piece in bytes.
    var pieceLength: () -> Int
    private(set) var records: [Record] = []
    /// The number of bytes that the parser received.
    private(set) var readBytes = 0
    /// That number before the first packet.
    private(set) var readBytesBeforeSound: Int?
    /// The offsets of reads that did not continue the previous one.
    private(set) var jumps: [Int64] = []
    private(set) var largestLimit = 0
    private var lastRead: Int64 = 0

    init(_ bytes: [UInt8], _ parser: any ContainerParser, pieceLength: @escaping () -> Int = { .max }) {
        (self.bytes, self.parser, self.pieceLength) = (bytes, parser, pieceLength)
    }

    /// Runs the parser to its end, or until it returned so many packets.
    mutating func run(packets limit: Int = .max) {
        var packets = 0
        records = []
        // Every iteration handles an event or at least one byte; jumps back repeat some of the work.
        for _ in 0...20 * bytes.count + 1000 {
            if let event = parser.next() {
                record(event)
                if case .packet = event { packets += 1 }
                if packets >= limit { return }
            } else if parser.isDone {
                return
            } else {
                feed()
            }
        }
        Issue.record("the parser does not terminate")
    }

    private mutating func record(_ event: ContainerEvent) {
        var payload: [UInt8] = []
        if case .packet(let packet) = event {
            readBytesBeforeSound = readBytesBeforeSound ?? readBytes
            payload = parser.withBytes(of: packet) { Array($0) }
            if payload.count != packet.length { Issue.record("the payload has \(payload.count) bytes: \(packet)") }
        }
        records.append(Record(event: event, payload: payload, point: parser.point))
    }

    private mutating func feed() {
        let offset = parser.readOffset
        if offset != lastRead { jumps.append(offset) }
        lastRead = offset
        guard offset < bytes.count else { return parser.finish() }
        largestLimit = max(largestLimit, parser.readLimit)
        let count = min(max(1, pieceLength()), parser.readLimit, bytes.count - Int(offset))
        bytes[Int(offset)..<Int(offset) + count].withUnsafeBytes { parser.append($0) }
        readBytes += count
        lastRead += Int64(count)
    }

    /// Returns the records of a whole file.
    static func records(_ bytes: [UInt8], _ parser: any ContainerParser) -> [Record] {
        var run = ContainerRun(bytes, parser)
        run.run()
        return run.records
    }
}

extension Collection<Record> {
    var packets: [AudioPacket] { compactMap(\.packet) }
    var tracks: [AudioTrack] { compactMap(\.track) }
    var failures: [String] { compactMap(\.failure) }
    var metadata: AudioMetadata { compactMap(\.metadata).reduce(AudioMetadata()) { $0.completed(by: $1) } }

    /// The packets of the track that was current for each, with its number.
    var numbered: [(track: Int, record: Record)] {
        var track = 0
        return compactMap { record in
            if let found = record.track { track = found.ordinal }
            return record.packet == nil ? nil : (track, record)
        }
    }
}
