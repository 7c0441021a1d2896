// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Testing

@testable import CodecTestSupport

@Suite("Reading of a source by a parser")
struct SourceReadingTests {
    @Test("Events are returned as far as their bytes are available, and the others when their bytes arrive")
    func arrival() {
        let bytes = FLACWriter().bytes
        let source = MemoryByteSource(bytes, held: bytes.count / 2)
        var parser = FLACParser()
        let first = packets(&parser, source)
        #expect(1...40 ~= first && !parser.isDone)
        source.release()
        let others = packets(&parser, source)
        #expect(first + others == 41 && parser.isDone)
    }

    /// Returns the number of packets that the parser returns before bytes are missing or the file ends.
    private func packets(_ parser: inout FLACParser, _ source: MemoryByteSource) -> Int {
        var count = 0
        while let event = parser.next(reading: source) { if case .packet = event { count += 1 } }
        return count
    }
}
