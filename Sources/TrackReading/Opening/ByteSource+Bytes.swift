// SPDX-License-Identifier: GPL-3.0-or-later
package import Media

extension ByteSource {
    /// Returns at most `count` bytes from `offset` on: fewer if the rest is missing or cannot be read.
    package func bytes(at offset: Int64, count: Int) -> [UInt8] {
        var stop: ByteRead?
        return bytes(at: offset, count: count, &stop)
    }

    /// - Parameter stop: the reason why fewer bytes were read.
    func bytes(at offset: Int64, count: Int, _ stop: inout ByteRead?) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            while used < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[used...])
                let read = read(at: offset + Int64(used), into: rest)
                guard case .data(let more) = read else { return stop = read }
                used += more
            }
        }
    }
}
