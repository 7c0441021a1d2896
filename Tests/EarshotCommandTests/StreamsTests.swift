// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Testing

@testable import TerminalInterface

@Suite("Terminal and streams")
struct StreamsTests {
    @Test("Bytes written to a pipe are read completely, up to the end of the file")
    func pipes() async {
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let (readEnd, writeEnd) = (ends[0], ends[1])
        let text = String(repeating: "line of a feed\n", count: 20_000)
        let writer = WorkerThread.start {
            _ = StandardStreams.write(text, to: writeEnd)
            close(writeEnd)
        }
        var received: [UInt8] = []
        for await bytes in StandardStreams.bytes(of: readEnd) { received += bytes }
        writer?.join()
        close(readEnd)
        #expect(received == Array(text.utf8))
    }

    @Test("A write to a closed pipe fails and does not end the process")
    func brokenPipe() {
        signal(SIGPIPE, SIG_IGN)
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        #expect(!StandardStreams.write("x", to: ends[1]))
        close(ends[1])
    }

    @Test("A descriptor that is not a terminal has no width and no keys")
    func noTerminal() {
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        #expect(Terminal.width(of: ends[0]) == nil)
        Terminal.readKeys(from: ends[0])
        Terminal.restore()
        close(ends[0])
        close(ends[1])
    }
}
