// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio

/// The events of a whole file parsed by `MPEGStreamParser`, which is fed in pieces as by a reader.
struct StreamParse {
    private(set) var events: [MPEGEvent] = []
    private(set) var packets: [MPEGPacket] = []

    /// - Throws: `BrokenRule` if the parser does not terminate, or returns bytes other than the file's.
    init(
        _ file: UnsafeRawBufferPointer, from start: MPEGStreamParser = MPEGStreamParser(),
        pieceLength: () -> Int = { .max }
    ) throws {
        var parser = start
        // Every iteration consumes an event or at least one byte.
        for _ in 0...4 * file.count + 16 {
            if let event = parser.next() {
                try take(event, of: parser, in: file)
            } else if parser.isDone {
                return
            } else {
                Self.feed(&parser, file, pieceLength())
            }
        }
        try hold(false, "the parser terminates")
    }

    private mutating func take(
        _ event: MPEGEvent, of parser: MPEGStreamParser, in file: UnsafeRawBufferPointer
    ) throws {
        events.append(event)
        guard case .packet(let packet) = event else { return }
        packets.append(packet)
        let start = Int(packet.offset)
        let own = parser.withBytes(of: packet) { $0.elementsEqual(file[start..<start + packet.length]) }
        try hold(own, "packet \(packet.number) has the file's bytes")
    }

    private static func feed(_ parser: inout MPEGStreamParser, _ file: UnsafeRawBufferPointer, _ length: Int) {
        let offset = Int(parser.readOffset)
        guard offset < file.count else { return parser.finish() }
        let end = offset + min(length, file.count - offset)
        parser.append(UnsafeRawBufferPointer(rebasing: file[offset..<end]))
    }

    /// The stream information before the first packet.
    var info: StreamInfo? {
        for event in events {
            switch event {
            case .info(let info): return info
            case .packet: return nil
            case .tag, .gapless, .garbage, .formatChanged: continue
            }
        }
        return nil
    }

    var iTunes: ITunSMPB? {
        events.lazy.compactMap { if case .gapless(let facts) = $0 { facts } else { nil } }.first
    }

    /// - Throws: `BrokenRule` unless the byte ranges are adjacent from 0 on and reach `length`, or beyond it with a
    ///   truncated tag.
    func holdCovers(_ length: Int) throws {
        var end: Int64 = 0
        var endsInTag = false
        for event in events {
            guard let range = event.range else { continue }
            try hold(range.lowerBound == end && !range.isEmpty, "no byte is omitted or counted twice, at \(end)")
            end = range.upperBound
            if case .tag = event { endsInTag = true } else { endsInTag = false }
        }
        let endsWell = end == Int64(length) || end > Int64(length) && endsInTag
        try hold(endsWell, "the last event ends with the file of \(length) bytes: \(events.suffix(2))")
    }
}

extension MPEGEvent {
    fileprivate var range: Range<Int64>? {
        switch self {
        case .tag(_, let range), .garbage(let range): range
        case .packet(let packet): packet.offset..<packet.offset + Int64(packet.length)
        case .info(let info): info.offset..<info.offset + Int64(info.length)
        case .gapless, .formatChanged: nil
        }
    }
}
