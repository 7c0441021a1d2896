// SPDX-License-Identifier: GPL-3.0-or-later

/// Fraunhofer's tag, always 32 bytes after the frame's header.
///
/// Source: VBRI: name, version, delay, quality, bytes, frames, then a table of `count` entries of `width` bytes, each
/// in units of `scale` bytes and for `packets` packets.
struct VBRIHeader {
    let bytes: Int64
    let frames: Int64
    let table: SeekTable?

    static let offset = 36

    init?(frame: [UInt8]) {
        var fields = TagFields(frame.dropFirst(Self.offset))
        guard let name = fields.read(4), name.elementsEqual("VBRI".utf8), fields.number(2) == 1,
            fields.read(4) != nil, let bytes = fields.number(4), let frames = fields.number(4)
        else { return nil }
        self.bytes = Int64(bytes)
        self.frames = Int64(frames)
        table = Self.table(&fields)
    }

    /// Returns the complete table; `nil` if the frame contains fewer entries than it declares.
    private static func table(_ fields: inout TagFields) -> SeekTable? {
        guard let count = fields.number(2), let scale = fields.number(2), let width = fields.number(2),
            let packets = fields.number(2), (1...4).contains(width), packets > 0, count > 0, scale > 0
        else { return nil }
        var entries: [Int64] = []
        while entries.count < count, let entry = fields.number(width) { entries.append(Int64(entry * scale)) }
        return entries.count == count ? .vbri(entries, packetsPerEntry: packets) : nil
    }
}
