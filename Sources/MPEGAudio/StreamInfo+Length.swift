// SPDX-License-Identifier: GPL-3.0-or-later

extension StreamInfo {
    /// The bytes of the whole file, what stands before this frame included; `nil` where the tag does not say.
    public var promisedLength: Int64? {
        guard let declaredBytes, declaredBytes > 0 else { return nil }
        let (length, overflow) = offset.addingReportingOverflow(declaredBytes)
        return overflow ? nil : length
    }

    /// Whether the file was longer than `total` bytes when the tag was written, as far as the tag tells.
    public func isLonger(than total: Int64?) -> Bool {
        guard let promisedLength, let total else { return true }
        return total < promisedLength - Self.trailingTags
    }

    /// What a file says of itself.
    /// - Parameter beginning: its first bytes.
    /// - Returns: `nil` where no such frame comes before the first packet, or none within these bytes.
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
