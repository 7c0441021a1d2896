// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes an Ogg stream page by page. Source: RFC 3533.
struct OggWriter {
    let serial: UInt32
    /// The most segments of a page; packets that need more continue on the next page.
    var segmentLimit = 255
    private(set) var bytes: [UInt8] = []
    var sequence: UInt32 = 0
    private var lacing: [UInt8] = []
    private var payload: [UInt8] = []
    private var granule: Int64 = -1
    private var isContinued = false

    init(serial: UInt32, segmentLimit: Int = 255) { (self.serial, self.segmentLimit) = (serial, segmentLimit) }

    /// Adds a packet that ends at a granule position.
    mutating func add(_ packet: [UInt8], granule end: Int64) {
        var rest = packet[...]
        while true {
            if lacing.count == segmentLimit { flush(continues: rest.count < packet.count) }
            let segment = rest.prefix(255)
            lacing.append(UInt8(segment.count))
            payload += segment
            rest = rest.dropFirst(segment.count)
            if segment.count < 255 { break }
        }
        granule = end
    }

    /// Ends the page.
    mutating func flush(isLast: Bool = false, granule override: Int64? = nil) {
        if let override { granule = override }
        flush(continues: false, isLast: isLast)
    }

    private mutating func flush(continues: Bool, isLast: Bool = false) {
        guard !lacing.isEmpty || isLast else { return }
        let flags: UInt8 = (isContinued ? 1 : 0) | (sequence == 0 ? 2 : 0) | (isLast ? 4 : 0)
        bytes += Self.page(flags, granule, serial, sequence, lacing, payload)
        sequence += 1
        (lacing, payload, granule) = ([], [], -1)
        isContinued = continues
    }

    /// Returns a stream of packets.
    /// - Parameters:
    ///   - endTrim: the PCM frames to drop at the end.
    ///   - pageFrames: the least PCM frames of a page.
    static func stream(
        _ headers: [[UInt8]], _ packets: [CodecPacket], serial: UInt32 = 1, endTrim: Int = 0,
        pageFrames: Int = 48000
    ) -> [UInt8] {
        var writer = OggWriter(serial: serial)
        for (number, header) in headers.enumerated() {
            writer.add(header, granule: 0)
            if number == 0 || number == headers.count - 1 { writer.flush() }
        }
        var (granule, pageStart) = (Int64(0), Int64(0))
        for (number, packet) in packets.enumerated() {
            granule += Int64(packet.frames)
            let isLast = number == packets.count - 1
            writer.add(packet.bytes, granule: isLast ? granule - Int64(endTrim) : granule)
            guard isLast || granule - pageStart >= pageFrames else { continue }
            writer.flush(isLast: isLast)
            pageStart = granule
        }
        return writer.bytes
    }

    /// Returns a page with its checksum.
    static func page(
        _ flags: UInt8, _ granule: Int64, _ serial: UInt32, _ sequence: UInt32, _ lacing: [UInt8], _ payload: [UInt8]
    ) -> [UInt8] {
        var page = Array("OggS".utf8) + [0, flags] + granule.littleEndianBytes + serial.littleEndianBytes
        page += sequence.littleEndianBytes + [0, 0, 0, 0, UInt8(lacing.count)] + lacing + payload
        page.replaceSubrange(22..<26, with: checksum(page).littleEndianBytes)
        return page
    }

    private static let remainders: [UInt32] = (0..<256).map { byte in
        var rest = UInt32(byte) << 24
        for _ in 0..<8 { rest = rest & 0x8000_0000 == 0 ? rest << 1 : rest << 1 ^ 0x04C1_1DB7 }
        return rest
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0) { $0 << 8 ^ remainders[Int($0 >> 24) ^ Int($1)] }
    }
}
