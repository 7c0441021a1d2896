// SPDX-License-Identifier: GPL-3.0-or-later

/// A piecewise linear map between packet numbers and file offsets; the last piece continues beyond the last point.
struct XingSeekTable {
    struct Point {
        let packet: Double
        let byte: Double
    }

    private let points: [Point]

    /// - Parameter points: any points; those that do not ascend in both coordinates are dropped. The result is `nil`
    ///   if fewer than two remain.
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

extension XingSeekTable {
    /// Creates the line that a tag declares; `nil` if the tag contains too little data.
    init?(_ info: StreamInfo, audioStart: Int64) {
        guard let frames = info.declaredFrames, frames > 0 else { return nil }
        let start = Point(packet: 0, byte: Double(audioStart))
        switch info.seekTable {
        case .vbri(let entries, let packetsPerEntry):
            var points = [start]
            for entry in entries {
                let last = points[points.count - 1]
                points.append(
                    Point(packet: last.packet + Double(packetsPerEntry), byte: last.byte + Double(entry)))
            }
            self.init(points)
        case .xing(let table) where info.kind == .xing:
            guard let end = Self.end(of: info, frames) else { return nil }
            self.init(Self.shortestPath(from: start, through: Self.constraints(table, info, frames), to: end))
        case .xing, nil:
            guard let end = Self.end(of: info, frames) else { return nil }
            self.init([start, end])
        }
    }

    private static func end(of info: StreamInfo, _ frames: Int64) -> Point? {
        guard let bytes = info.declaredBytes, bytes > 0 else { return nil }
        return Point(packet: Double(frames), byte: Double(info.offset) + Double(bytes))
    }

    /// An interval that the line must pass: an entry is rounded down to a 256th of the stream, which is 14 seconds of
    /// an hour.
    fileprivate struct Constraint {
        let packet: Double
        let bytes: ClosedRange<Double>
    }

    private static func constraints(_ table: [UInt8], _ info: StreamInfo, _ frames: Int64) -> [Constraint] {
        let unit = Double(info.declaredBytes ?? 0) / 256
        var constraints: [Constraint] = []
        for (place, part) in table.enumerated().dropFirst() {
            let low = Double(info.offset) + Double(part) * unit
            let packet = packet(ofEntry: Int64(place), info, frames)
            if packet > constraints.last?.packet ?? 0, packet < Double(frames) {
                constraints.append(Constraint(packet: packet, bytes: low...low + unit))
            }
        }
        return constraints
    }

    /// Returns the packet of entry *p*: *p* percent of the packets. But LAME and Lavf, which write their name into
    /// the tag, record at most 400 positions, in steps that double when the record is full, and use the end of the
    /// step that contains *p* percent. The rule is measured on files of both encoders; the difference is up to nine
    /// seconds per hour.
    private static func packet(ofEntry place: Int64, _ info: StreamInfo, _ frames: Int64) -> Double {
        guard info.encoder != nil, frames < .max / 400 else { return Double(frames) * Double(place) / 100 }
        var step: Int64 = 1
        while frames >= 400 * step { step *= 2 }
        return Double((place * (frames / step) / 100 + 1) * step)
    }

    /// Returns the shortest line that meets all constraints. Bit rates change seldom, so the line with the fewest bends
    /// is the most likely one. If a table is not monotonic, the line still ends; points that do not ascend are dropped
    /// later.
    private static func shortestPath(from start: Point, through constraints: [Constraint], to end: Point) -> [Point] {
        let constraints = constraints + [Constraint(packet: end.packet, bytes: end.byte...end.byte)]
        var points = [start]
        var next = 0
        while next < constraints.count {
            let (corner, place) = corner(from: points[points.count - 1], constraints, next)
            points.append(corner)
            next = place + 1
        }
        return points
    }

    /// Returns the first point at which a line from `apex` must bend to meet the constraints from `first` on; the
    /// point of the last one if no bend is needed.
    private static func corner(from apex: Point, _ constraints: [Constraint], _ first: Int) -> (Point, Int) {
        var (low, high) = ((slope: -Double.infinity, place: first), (slope: Double.infinity, place: first))
        for place in first..<constraints.count {
            let distance = constraints[place].packet - apex.packet
            let steepest = (constraints[place].bytes.upperBound - apex.byte) / distance
            let flattest = (constraints[place].bytes.lowerBound - apex.byte) / distance
            if flattest > high.slope { return (constraints[high.place].corner(\.upperBound), high.place) }
            if steepest < low.slope { return (constraints[low.place].corner(\.lowerBound), low.place) }
            if flattest > low.slope { low = (flattest, place) }
            if steepest < high.slope { high = (steepest, place) }
        }
        return (constraints[constraints.count - 1].corner(\.lowerBound), constraints.count - 1)
    }
}

extension XingSeekTable.Constraint {
    fileprivate func corner(_ side: KeyPath<ClosedRange<Double>, Double>) -> XingSeekTable.Point {
        XingSeekTable.Point(packet: packet, byte: bytes[keyPath: side])
    }
}

/// A packet boundary at which parsing can resume.
public struct SeekPoint: Sendable, Equatable {
    /// The file offset of the packet's header.
    public let offset: Int64
    public let packetNumber: Int64
    /// A header of the format at this point.
    public let format: MPEGFrameHeader
    /// The length of an unpadded packet in bytes; `nil` unless the format is free format.
    public let freeFormatLength: Int?

    public init(offset: Int64, packetNumber: Int64, format: MPEGFrameHeader, freeFormatLength: Int? = nil) {
        self.offset = offset
        self.packetNumber = packetNumber
        self.format = format
        self.freeFormatLength = freeFormatLength
    }

    /// Creates a point at the start of `packet`.
    public init(_ packet: MPEGPacket) {
        let isFree = packet.header.bitrate == nil
        self.init(
            offset: packet.offset, packetNumber: packet.number, format: packet.header,
            freeFormatLength: isFree ? packet.length - packet.header.paddingLength : nil)
    }
}
