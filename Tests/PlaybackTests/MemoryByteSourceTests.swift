// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@Suite("MemoryByteSource")
struct MemoryByteSourceTests {
    private let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test("Fulfils the contract of a byte source", arguments: [0, 1, 4999, 5000])
    func contract(held: Int) {
        let source = MemoryByteSource(content, held: held)
        #expect(ByteSourceContract.violations(of: source, content: content, held: held) == [])
        source.fail(MediaFailure(.unavailable, "over"))
        #expect(ByteSourceContract.violations(of: source, content: content, held: held, isOver: true) == [])
        source.close()
        #expect(ByteSourceContract.violationsOnceClosed(source) == [])
    }
}
