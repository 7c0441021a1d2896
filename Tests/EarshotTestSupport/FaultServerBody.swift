// SPDX-License-Identifier: GPL-3.0-or-later

/// Sends the body of one answer with the faults of its script.
struct FaultBodySender {
    let socket: FaultSocket
    let script: FaultScript
    /// Called with the number of bytes sent so far.
    let report: (Int) -> Void

    private let clock = ContinuousClock()

    init(_ socket: FaultSocket, _ script: FaultScript, report: @escaping (Int) -> Void) {
        self.socket = socket
        self.script = script
        self.report = report
    }

    /// - Returns: false if the connection can no longer be used.
    func send(_ body: ArraySlice<UInt8>) -> Bool {
        let begin = clock.now
        var pacer = FaultPacer(script)
        var sent = 0
        var hasStalled = false
        while script.isEndless && !body.isEmpty || sent < body.count || script.stall?.after == sent {
            if script.cut?.after == sent { return cut() }
            if let stall = script.stall, stall.after == sent, !hasStalled {
                hasStalled = true
                guard socket.pause(stall.time) else { return false }
            }
            guard sent < body.count || script.isEndless else { break }
            let piece = body.dropFirst(script.isEndless ? sent % body.count : sent)
                .prefix(pieceSize(at: sent, slice: pacer.slice))
            if case .brokenChunked = script.framing, sent >= body.count / 2 {
                return socket.send(Array("no chunk\r\n".utf8))
            }
            sent += piece.count
            // Report before sending, so that the log contains every byte that the client has read.
            report(sent)
            guard sendFramed(piece) else { return false }
            let ahead = begin + pacer.due(after: piece.count) - clock.now
            if ahead > .milliseconds(1) { guard socket.pause(ahead) else { return false } }
        }
        if script.cut?.after == sent { return cut() }
        return finish()
    }

    private func cut() -> Bool {
        if script.cut?.kind == .reset { socket.prepareReset() }
        return false
    }

    /// Returns a size that is small enough to keep the rate smooth and to stop exactly at the next fault.
    private func pieceSize(at sent: Int, slice: Int?) -> Int {
        var size = slice ?? 16 * 1024
        for fault in [script.cut?.after, script.stall?.after] {
            if let fault, fault > sent { size = min(size, fault - sent) }
        }
        return size
    }

    private var isChunked: Bool {
        switch script.framing {
        case .chunked, .brokenChunked: true
        case .length, .declaredLength, .lengthTexts, .untilClose: false
        }
    }

    private func sendFramed(_ piece: ArraySlice<UInt8>) -> Bool {
        guard isChunked else { return socket.send(piece) }
        return socket.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
    }

    private func finish() -> Bool {
        isChunked ? socket.send(Array("0\r\n\r\n".utf8)) : true
    }
}
