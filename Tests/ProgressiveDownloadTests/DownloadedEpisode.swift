// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import ProgressiveDownload

/// Returns bytes that start like an MP3 file and differ at every offset; each `seed` makes another version.
func episode(_ count: Int, seed: Int = 1) -> [UInt8] {
    [0x49, 0x44, 0x33, 0x04]
        + (4..<max(count, 4)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8) &* seed &+ seed) }
}

extension ScratchDirectory {
    /// The sorted names in the directory, without the `.origin` files that store validators.
    var fileNames: [String] { names.filter { !$0.hasSuffix(".origin") } }

    /// Returns the bytes of a file, or fails the test if the file does not exist.
    func existing(_ name: String) throws -> [UInt8] {
        try #require(names.contains(name), "\(name) is missing")
        return read(name)
    }
}

extension PartialFile {
    /// Returns an empty file in place of this one, which stays readable for those who have it open.
    func replacement() throws(SystemError) -> PartialFile {
        let file = try beginReplacement()
        try name(file)
        return file
    }
}
