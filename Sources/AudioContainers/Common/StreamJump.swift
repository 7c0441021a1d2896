// SPDX-License-Identifier: GPL-3.0-or-later

/// A jump in a file of several streams. It waits for the headers and the first audio of the stream at its offset.
enum StreamJump: Sendable {
    /// To the first packet found at or after an offset.
    case synchronize(Int64)
    /// To a packet that was returned earlier.
    case resume(ContainerPoint)

    /// The offset in the file.
    var offset: Int64 {
        switch self {
        case .synchronize(let offset): offset
        case .resume(let point): point.offset
        }
    }
}
