// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Testing

/// Feeds a whole file to a parser in pieces, as a reader does.
struct StreamDriver {
    var parser = MPEGStreamParser()
    let bytes: [UInt8]
    /// Returns the length of the next piece in bytes.
    var pieceLength: () -> Int

    private(set) var events: [MPEGEvent] = []

    init(_ bytes: [UInt8], from parser: MPEGStreamParser = MPEGStreamParser(), pieceLength: @escaping () -> Int) {
        self.parser = parser
        self.bytes = bytes
        self.pieceLength = pieceLength
    }

    /// Returns every event of `bytes` and compares the bytes of each packet with the file's.
    static func events(
        of bytes: [UInt8], from parser: MPEGStreamParser = MPEGStreamParser(), cutInto length: Int = .max
    ) -> [MPEGEvent] {
        var driver = StreamDriver(bytes, from: parser) { length }
        driver.run()
        return driver.events
    }

    static func events(of bytes: [UInt8], cutBy generator: inout SeededGenerator) -> [MPEGEvent] {
        var source = generator
        var driver = StreamDriver(bytes) { Int.random(in: 1...700, using: &source) }
        driver.run()
        generator = source
        return driver.events
    }

    mutating func run() {
        // Every iteration handles an event or at least one byte.
        for _ in 0...4 * bytes.count + 16 {
            if let event = parser.next() {
                take(event)
            } else if parser.isDone {
                return
            } else {
                feed()
            }
        }
        Issue.record("the parser does not terminate")
    }

    private mutating func take(_ event: MPEGEvent) {
        events.append(event)
        guard case .packet(let packet) = event else { return }
        let start = Int(packet.offset)
        let isSame = parser.withBytes(of: packet) { $0.elementsEqual(bytes[start..<start + packet.length]) }
        if !isSame { Issue.record("the bytes of packet \(packet.number) differ from the file") }
    }

    private mutating func feed() {
        let offset = Int(parser.readOffset)
        guard offset < bytes.count else { return parser.finish() }
        let end = offset + min(pieceLength(), bytes.count - offset)
        bytes[offset..<end].withUnsafeBytes { parser.append($0) }
    }
}

extension [MPEGEvent] {
    var packets: [MPEGPacket] {
        compactMap { if case .packet(let packet) = $0 { packet } else { nil } }
    }

    var infos: [StreamInfo] {
        compactMap { if case .info(let info) = $0 { info } else { nil } }
    }

    /// The byte ranges in order.
    var ranges: [Range<Int64>] {
        compactMap { event in
            switch event {
            case .tag(_, let range), .garbage(let range): range
            case .packet(let packet): packet.offset..<packet.offset + Int64(packet.length)
            case .info(let info): info.offset..<info.offset + Int64(info.length)
            case .gapless, .formatChanged: nil
            }
        }
    }

    /// Returns true if the ranges are adjacent from 0 on and reach `length`, or go beyond it with a truncated tag.
    func covers(_ length: Int) -> Bool {
        var end: Int64 = 0
        for range in ranges {
            if range.lowerBound != end || range.isEmpty { return false }
            end = range.upperBound
        }
        return end == Int64(length) || end > Int64(length) && endsInTag(at: end)
    }

    private func endsInTag(at end: Int64) -> Bool {
        contains { if case .tag(_, let range) = $0 { range.upperBound == end } else { false } }
    }
}
