// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import TerminalInterface

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test("README lists each exit status with its meaning", arguments: TerminalInterface.ExitStatus.allCases)
    func documented(status: TerminalInterface.ExitStatus) {
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let readme = String(decoding: ScratchDirectory.bytes(of: path + "/README.md"), as: UTF8.self)
        #expect(readme.contains("| \(status.rawValue) | \(status.meaning) |"))
    }
}
