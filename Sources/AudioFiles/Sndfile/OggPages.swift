// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The pages of one stream in an Ogg file. Source: RFC 3533 §6.
struct OggPages {
    private struct Page {
        let offset: Int64
        let length: Int
        let serial: UInt32
        /// The end of the packets that end in the page, in frames; `nil` if none ends.
        let granule: Int64?
        /// The number of packets that end in the page.
        let endings: Int
        /// True if the page is marked as the last.
        let isLast: Bool

        var end: Int64 { offset + Int64(length) }
    }

    /// The offset of the first audio packet.
    let start: Int64
    private let source: any ByteSource
    private let end: Int64
    private let serial: UInt32

    private static let headerLength = 27
    private static let longestPage = 65307

    /// - Parameters:
    ///   - length: The source's length in bytes.
    ///   - headers: The number of packets before the audio.
    /// - Returns: `nil` if the header packets are missing.
    init?(_ source: any ByteSource, length: Int64, headers: Int) {
        guard var page = Self.page(at: 0, in: source) else { return nil }
        var missing = headers - page.endings
        serial = page.serial
        while missing > 0 {
            guard let next = Self.page(at: page.end, in: source) else { return nil }
            page = next
            if page.serial == serial { missing -= page.endings }
        }
        (self.source, end, start) = (source, length, page.end)
    }

    /// Returns the offset of the last page that ends at or before `granule`; `start` if there is none.
    func offset(before granule: Int64) -> Int64 {
        var (early, late) = (start, end)
        while late - early > 2 * Int64(Self.longestPage) {
            let middle = (early + late) / 2
            guard let page = firstPage(from: middle, upTo: late), let reached = page.granule, reached <= granule else {
                late = middle
                continue
            }
            early = page.offset
        }
        var found = start
        while let page = firstPage(from: early, upTo: end), let reached = page.granule, reached <= granule {
            (found, early) = (page.offset, page.end)
        }
        return found
    }

    /// The end, in frames, of the packets that end in the last complete page; `nil` if there is none.
    var lastGranule: Int64? {
        var distance = 2 * Int64(Self.longestPage)
        while true {
            var place = max(start, end - distance)
            let isFirst = place == start
            var last: Int64?
            while let page = firstPage(from: place, upTo: end), page.end <= end {
                last = page.granule ?? last
                place = page.end
            }
            if last != nil || isFirst { return last }
            distance *= 2
        }
    }

    /// True if the stream's last page is complete.
    var hasEnd: Bool {
        var place = max(start, end - 2 * Int64(Self.longestPage))
        while let page = firstPage(from: place, upTo: end) {
            if page.isLast { return page.end <= end }
            place = page.end
        }
        return false
    }

    /// Returns the first page of the stream in which a packet ends.
    private func firstPage(from offset: Int64, upTo limit: Int64) -> Page? {
        var place = offset
        while place < limit {
            let bytes = source.bytes(at: place, count: Self.longestPage)
            guard bytes.count >= Self.headerLength else { return nil }
            for start in 0...bytes.count - Self.headerLength where Self.isCapture(bytes, at: start) {
                guard let page = Self.page(at: place + Int64(start), in: source), page.serial == serial,
                    page.granule != nil
                else { continue }
                return page
            }
            place += Int64(bytes.count - Self.headerLength + 1)
        }
        return nil
    }

    private static func isCapture(_ bytes: [UInt8], at place: Int) -> Bool {
        // The capture pattern, and the only defined version.
        bytes[place] == 0x4F && bytes[place + 1] == 0x67 && bytes[place + 2] == 0x67 && bytes[place + 3] == 0x53
            && bytes[place + 4] == 0
    }

    private static func page(at offset: Int64, in source: any ByteSource) -> Page? {
        let bytes = source.bytes(at: offset, count: headerLength + 255)
        guard bytes.count >= headerLength, isCapture(bytes, at: 0) else { return nil }
        let table = bytes.dropFirst(headerLength).prefix(Int(bytes[26]))
        guard table.count == Int(bytes[26]) else { return nil }
        let granule = Int64(bitPattern: number(bytes[6..<14]))
        return Page(
            offset: offset, length: headerLength + table.count + table.reduce(0) { $0 + Int($1) },
            serial: UInt32(truncatingIfNeeded: number(bytes[14..<18])), granule: granule < 0 ? nil : granule,
            endings: table.count { $0 < 255 }, isLast: bytes[5] & 4 != 0)
    }

    /// Returns the value of little-endian bytes.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
