// SPDX-License-Identifier: GPL-3.0-or-later

/// An order to a `StreamingSource`, on its way to the decode thread.
enum StreamCommand: Sendable, Equatable {
    case seek(to: Int64)
    case turn(PlayDirection)
    case loop(StreamLoop?)
    case rate(Double, keepsPitch: Bool)
}

extension StreamCursor {
    /// Carries out orders.
    /// - Returns: true if playback continues at another position.
    mutating func carryOut(_ orders: [StreamCommand]) -> Bool {
        var jumps = false
        for order in orders where carryOut(order) { jumps = true }
        return jumps
    }

    private mutating func carryOut(_ order: StreamCommand) -> Bool {
        switch order {
        case .seek(let frame):
            seek(to: frame)
            return true
        case .turn(let direction): turn(direction)
        case .rate(let rate, let keepsPitch): setRate(rate, keepsPitch: keepsPitch)
        case .loop(let loop):
            path.setLoop(loop)
            return path.isAtTurn
        }
        return false
    }
}
