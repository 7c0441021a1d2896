// SPDX-License-Identifier: GPL-3.0-or-later

/// Packet numbers against file offsets, as straight pieces between points; beyond the last one the last piece goes on.
struct SeekLine {
    struct Point {
        let packet: Double
        let byte: Double
    }

    private let points: [Point]

    /// - Parameter points: any; those that do not ascend in both directions are left out. `nil`: fewer than two ascend.
    init?(_ points: [Point]) {
        var ascending: [Point] = []
        for point in points {
            guard let last = ascending.last else {
                ascending.append(point)
                continue
            }
            if point.packet > last.packet, point.byte > last.byte { ascending.append(point) }
        }
        guard ascending.count > 1 else { return nil }
        self.points = ascending
    }

    func packet(atByte byte: Double) -> Double {
        let (from, to) = piece { $0.byte <= byte }
        return from.packet + (byte - from.byte) * (to.packet - from.packet) / (to.byte - from.byte)
    }

    func byte(atPacket packet: Double) -> Double {
        let (from, to) = piece { $0.packet <= packet }
        return from.byte + (packet - from.packet) * (to.byte - from.byte) / (to.packet - from.packet)
    }

    private func piece(_ isBefore: (Point) -> Bool) -> (Point, Point) {
        let start = min(max(0, (points.lastIndex(where: isBefore) ?? 0)), points.count - 2)
        return (points[start], points[start + 1])
    }
}

extension SeekLine {
    /// The line a tag draws; `nil` for a tag that has no table or not enough beside it.
    init?(_ info: StreamInfo) {
        guard let frames = info.declaredFrames, frames > 0 else { return nil }
        let base = Double(info.offset)
        switch info.seekTable {
        case nil:
            return nil
        case .xing(let table):
            guard info.kind == .xing, let bytes = info.declaredBytes, bytes > 0 else { return nil }
            var points = table.enumerated().map { place, part in
                Point(
                    packet: Double(frames) * Double(place) / 100, byte: base + Double(part) / 256 * Double(bytes))
            }
            points.append(Point(packet: Double(frames), byte: base + Double(bytes)))
            self.init(points)
        case .vbri(let entries, let packetsPerEntry):
            var points = [Point(packet: 0, byte: base + Double(info.length))]
            for entry in entries {
                guard let last = points.last else { break }
                points.append(
                    Point(packet: last.packet + Double(packetsPerEntry), byte: last.byte + Double(entry)))
            }
            self.init(points)
        }
    }
}
