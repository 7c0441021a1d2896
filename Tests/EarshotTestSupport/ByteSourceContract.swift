// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The contract of `ByteSource`, checked against a source whose content is known.
public enum ByteSourceContract {
    /// Returns a description of each violation of the contract by `source`; an empty array if it keeps the contract.
    /// - Parameters:
    ///   - content: the whole enclosure.
    ///   - held: the number of bytes that have arrived, counted from the beginning.
    ///   - isOver: true if no more bytes will arrive.
    public static func violations(
        of source: any ByteSource, content: [UInt8], held: Int, isOver: Bool = false
    ) -> [String] {
        var complaints: [String] = []
        for size in [1, 7, 4096, content.count + 1] where size > 1 || held <= 20_000 {
            if readAll(source, bufferSize: size) != Array(content[..<held]) {
                complaints.append("reads of \(size) bytes returned wrong content")
            }
        }
        complaints += complaintsAtTheEdge(source, content, held, isOver: isOver)
        if case .data = read(source, at: -1, count: 1) { complaints.append("a read at offset -1 returned data") }
        if source.downloadProgress.extents != ByteRangeSet([0..<Int64(held)]) {
            complaints.append("the extents are \(source.downloadProgress.extents.ranges)")
        }
        return complaints
    }

    /// Returns a description of each violation of the contract after `close`.
    public static func violationsOnceClosed(_ source: any ByteSource) -> [String] {
        guard case .failed = read(source, at: 0, count: 1) else { return ["a read succeeded after close"] }
        guard case .failed = source.downloadProgress.condition else {
            return ["the download progress is not failed after close"]
        }
        return []
    }

    /// Returns the bytes from offset 0 up to the first read that returns no data.
    public static func readAll(_ source: any ByteSource, bufferSize: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        while case .data(let count) = buffer.withUnsafeMutableBytes({ source.read(at: Int64(bytes.count), into: $0) }),
            count > 0, count <= bufferSize
        {
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Reads up to `count` bytes at `offset` and returns the outcome without the bytes.
    public static func read(_ source: any ByteSource, at offset: Int64, count: Int) -> ByteRead {
        var buffer = [UInt8](repeating: 0, count: count)
        return buffer.withUnsafeMutableBytes { source.read(at: offset, into: $0) }
    }

    private static func complaintsAtTheEdge(
        _ source: any ByteSource, _ content: [UInt8], _ held: Int, isOver: Bool
    ) -> [String] {
        let atEdge = read(source, at: Int64(held), count: 16)
        let beyond = read(source, at: Int64(content.count) + 1000, count: 16)
        if held == content.count {
            let isRight = atEdge == .end && beyond == .end && source.downloadProgress.condition == .complete
            return isRight ? [] : ["reads after the end return \(atEdge) and \(beyond)"]
        }
        switch atEdge {
        case .notYetAvailable where !isOver: return []
        case .failed where isOver: return []
        default: return ["a read of missing bytes returns \(atEdge)"]
        }
    }
}
