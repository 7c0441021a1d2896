// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers

/// The events of a file that a container's parser returns, fed in pieces as by a reader.
struct ContainerParse {
    var parser: any ContainerParser
    let file: UnsafeRawBufferPointer
    private(set) var events: [ContainerEvent] = []
    private(set) var points: [ContainerPoint] = []
    /// Counted, because some small files have many packets.
    private var packetCount = 0

    init(_ file: UnsafeRawBufferPointer, _ parser: any ContainerParser) { (self.file, self.parser) = (file, parser) }

    /// Runs the parser to its end, or until it returned so many packets; calls `each` after each event.
    ///
    /// - Throws: `BrokenRule` if the parser does not terminate, or returns bytes that the file does not have.
    mutating func run(
        packets limit: Int = .max, pieceLength: () -> Int = { .max },
        each: (any ContainerParser, ContainerEvent) throws -> Void = { _, _ in }
    ) throws {
        (events, points, packetCount) = ([], [], 0)
        // Every iteration consumes an event or at least one byte; jumps back repeat some of the work.
        for _ in 0...40 * file.count + 1000 {
            if let event = parser.next() {
                try take(event)
                try each(parser, event)
                if packetCount >= limit { return }
            } else if parser.isDone {
                return
            } else {
                feed(pieceLength())
            }
        }
        try hold(false, "the parser terminates")
    }

    var packets: [AudioPacket] { events.compactMap { if case .packet(let packet) = $0 { packet } else { nil } } }

    private mutating func take(_ event: ContainerEvent) throws {
        events.append(event)
        guard case .packet(let packet) = event else { return }
        packetCount += 1
        try hold(
            packet.offset >= 0 && (packet.length == 0 || packet.offset < file.count), "a packet begins in the file")
        try hold(packet.frame ?? 0 >= 0 && packet.frames >= 0, "a packet has a number: \(packet)")
        try hold(parser.withBytes(of: packet) { $0.count } == packet.length, "a packet has its bytes")
        if let point = parser.point { points.append(point) }
    }

    private mutating func feed(_ length: Int) {
        let offset = parser.readOffset
        guard offset < file.count else { return parser.finish() }
        let count = min(max(1, length), parser.readLimit, file.count - Int(offset))
        parser.append(UnsafeRawBufferPointer(rebasing: file[Int(offset)..<Int(offset) + count]))
    }
}
