// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// The terminal that the screen is drawn on, opened for writes that never wait.
///
/// It is a second opening of standard output: O_NONBLOCK on standard output itself would also hold for the shell.
public final class ScreenOutput: Sendable {
    private let file: FileDescriptor
    /// The longest wait for a terminal that takes no output when the screen is left, in milliseconds.
    private static let writeTimeout: CInt = 500

    public init() throws(SystemError) {
        let path = "/proc/self/fd/\(STDOUT_FILENO)"
        let opened = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        // After `su`, the terminal belongs to another user. Writes then may wait.
        let number = opened >= 0 ? opened : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        file = try FileDescriptor(owning: number)
    }

    var number: CInt { file.number }

    /// The size of the terminal; 80 columns and 24 rows if it is unknown.
    public var size: (columns: Int, rows: Int) {
        guard let size = Terminal.size(of: number), size.rows > 0 else { return (80, 24) }
        return size
    }

    /// Returns the number of bytes that the terminal took; 0 if it takes none now, `nil` if it is closed.
    func writeNow(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Writes all bytes, unless the terminal takes none for half a second.
    func writeSoon(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, let count = writeNow(rest) {
            rest = rest.dropFirst(count)
            guard count == 0 else { continue }
            var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, Self.writeTimeout) > 0 else { return }
        }
    }

    /// Writes all bytes.
    /// - Parameter wake: ends the wait for a terminal that takes no output.
    /// - Returns: false if the bytes were not all written: the screen is not in use, or `wake` came first.
    public func write(_ bytes: [UInt8], unless wake: WakeSignal) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = Terminal.writeToScreen(rest) else { return false }
            rest = rest.dropFirst(count)
            guard count == 0 else { continue }
            var entries = [
                pollfd(fd: number, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&entries, 2, -1)
            if entries[1].revents != 0, entries[0].revents == 0 { return false }
        }
        return true
    }
}

/// The sequences that make the terminal mark pasted text, so that its characters are not taken as keys (xterm control
/// sequences).
enum BracketedPaste {
    static let begin = "\u{1B}[?2004h"
    static let end = "\u{1B}[?2004l"
}

/// The use of the whole screen: where it is drawn, and the sequences that begin and end it.
public struct ScreenUse: Sendable {
    let output: ScreenOutput
    let entering: [UInt8]
    let leaving: [UInt8]

    /// - Parameter mouse: true to receive the mouse.
    public init(_ output: ScreenOutput, mouse: Bool) {
        self.output = output
        // The alternate screen and no automatic line break (xterm control sequences).
        entering = Array("\u{1B}[?1049h\u{1B}[?7l\(BracketedPaste.begin)\(mouse ? Self.mouse(true) : "")".utf8)
        leaving = Array(
            "\u{1B}[m\u{1B}[?2026l\(Self.mouse(false))\(BracketedPaste.end)\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)
    }

    /// Returns the sequence that starts or ends the reports of the mouse: presses, with coordinates of any size.
    public static func mouse(_ isOn: Bool) -> String {
        isOn ? "\u{1B}[?1000h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1000l"
    }
}
