// SPDX-License-Identifier: GPL-3.0-or-later

extension StreamInfo {
    /// The declared length of the whole file in bytes, including the bytes before this frame; `nil` if the tag does
    /// not state it.
    public var declaredFileLength: Int64? {
        guard let declaredBytes, declaredBytes > 0 else { return nil }
        let (length, overflow) = offset.addingReportingOverflow(declaredBytes)
        return overflow ? nil : length
    }

    /// Returns true if the file was longer than `total` bytes when the tag was written, or if either length is
    /// unknown.
    public func isLonger(than total: Int64?) -> Bool {
        guard let declaredFileLength, let total else { return true }
        return total < declaredFileLength - Self.trailingTags
    }

    /// Returns the Xing, Info or VBRI frame of a file.
    /// - Parameter beginning: the first bytes of the file.
    /// - Returns: `nil` if no such frame comes before the first packet and within these bytes.
    public static func of(beginning: UnsafeRawBufferPointer) -> StreamInfo? {
        var parser = MPEGStreamParser()
        while true {
            switch parser.next() {
            case .info(let info): return info
            case .packet: return nil
            case .tag, .gapless, .garbage, .formatChanged: continue
            case nil:
                let offset = Int(clamping: parser.readOffset)
                guard !parser.isDone, offset < beginning.count else { return nil }
                parser.append(UnsafeRawBufferPointer(rebasing: beginning[offset...]))
            }
        }
    }
}
