// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Screens
import Synchronization
import TerminalInterface

/// An input of the loop of the screen, from another thread.
enum ScreenInput: Sendable {
    case event(ScreenEvent)
    case bytes([UInt8])
    /// Standard input has ended: the terminal is closed.
    case closed
    /// The process came to the foreground of its terminal.
    case inForeground
    case signal(SessionSignal)
    /// The library may have changed.
    case libraryTouched
    /// A process may have taken the ownership of playback.
    case ownerAppeared
    /// The commands of the program.
    case commands([CommandWord])
    /// A picture that the terminal draws.
    case picture(CoverRequest, [UInt8])
    /// The screen may end: playback was stopped, or the player refused that for this reason.
    case stopped(refusal: String?)
}

/// The inputs of the loop in order. Each wakes the loop, which otherwise sleeps.
final class ScreenMailbox: Sendable {
    let wake = WakeSignal()
    private let inputs = Mutex<[ScreenInput]>([])

    func send(_ input: ScreenInput) {
        inputs.withLock { $0.append(input) }
        wake.signal()
    }

    func send(_ event: ScreenEvent) { send(.event(event)) }

    /// Returns the inputs since the last call.
    func take() -> [ScreenInput] {
        inputs.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
    }

    /// Waits for an input.
    /// - Parameters:
    ///   - limit: the longest wait; `nil` waits until an input comes.
    ///   - files: other files that end the wait when they are readable.
    /// - Returns: the readable ones of `files`.
    func wait(atMost limit: Duration?, or files: [CInt]) -> [CInt] {
        var entries = ([wake.descriptor] + files).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var milliseconds: CInt = -1
        if let limit { milliseconds = CInt(clamping: max(0, Int64((limit + .microseconds(999)) / .milliseconds(1)))) }
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
        if entries[0].revents != 0 { wake.clear() }
        return entries.dropFirst().filter { $0.revents != 0 }.map(\.fd)
    }
}
