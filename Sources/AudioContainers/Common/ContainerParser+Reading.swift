// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

extension ContainerParser {
    /// Returns the next event, and reads the bytes needed for it.
    /// - Returns: `nil` if these bytes are not available, or if all is read (`isDone`).
    public mutating func next(reading source: any ByteSource) -> ContainerEvent? {
        while true {
            if let event = next() { return event }
            guard !isDone, read(source) else { return nil }
        }
    }

    /// Reads bytes that the parser needs next, or notes that the file has ended before them. Nothing changes if they
    /// are not available.
    /// - Parameter buffer: room for the bytes, 1 or more.
    /// - Returns: the result of the read.
    public mutating func read(_ source: any ByteSource, through buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, max(1, readLimit))])
        let result = source.read(at: readOffset, into: room)
        switch result {
        case .data(let count): append(UnsafeRawBufferPointer(rebasing: room[..<count]))
        case .end: finish()
        case .notYetAvailable, .failed: break
        }
        return result
    }

    /// Reads up to 64 KB that the parser needs next, or notes that the file has ended before them.
    /// - Returns: false if the next byte is not available.
    public mutating func read(_ source: any ByteSource) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: max(1, min(64 << 10, readLimit)), alignment: 16) {
            switch read(source, through: $0) {
            case .data, .end: true
            case .notYetAvailable, .failed: false
            }
        }
    }
}
