// SPDX-License-Identifier: GPL-3.0-or-later
import CCrashRecovery
import Glibc
import Synchronization

/// The controlling terminal: single keys without echo, the whole screen, and its size.
///
/// The terminal keeps generating signals (ISIG), so Ctrl-C and Ctrl-Z work as usual. `restore` restores the original
/// modes and contents; this also happens when the process exits. All methods are thread-safe.
public enum Terminal {
    /// The modes to restore; global, because the process has one terminal. `nil` if the modes are unchanged.
    private static let saved = Mutex<Saved?>(nil)
    /// True while the process exits: a signal that is handled then must not change the modes again.
    private static let isExiting = Atomic(false)

    private struct Saved {
        let descriptor: CInt
        let modes: termios
        let screen: ScreenUse?
        /// The bytes that end the use of the terminal. A screen writes them to its own output.
        let leaving: [UInt8]
    }

    /// What the process uses the terminal for.
    private enum Use {
        /// Lines that the terminal does not show.
        case hiddenLines
        case keys
        case screen(ScreenUse)

        var screen: ScreenUse? { if case .screen(let screen) = self { screen } else { nil } }
        var marksPastes: Bool { if case .keys = self { true } else { false } }
    }

    public static var standardInputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    public static var standardOutputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    public static var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Makes standard input deliver single keys. Does nothing if it is not a terminal, if the process is in the
    /// background and another program uses the terminal, or if it was called before.
    public static func readKeys() { readKeys(from: STDIN_FILENO) }

    static func readKeys(from descriptor: CInt) { take(descriptor, .keys) }

    /// Makes standard input deliver lines that the terminal does not show, under the conditions of `readKeys`.
    public static func hideInput() { take(STDIN_FILENO, .hiddenLines) }

    /// Makes standard input deliver single keys, and begins to draw on the whole screen.
    /// - Returns: true if the screen is now in use by this call; false under the conditions of `readKeys`.
    @discardableResult
    public static func takeScreen(_ screen: ScreenUse) -> Bool { take(STDIN_FILENO, .screen(screen)) }

    @discardableResult
    private static func take(_ descriptor: CInt, _ use: Use) -> Bool {
        // Registers the restore at exit once, before the modes change.
        _ = restoresAtExit
        return saved.withLock { saved in
            let screen = use.screen
            var modes = termios()
            guard saved == nil, !isExiting.load(ordering: .relaxed), isInForeground(descriptor),
                tcgetattr(descriptor, &modes) == 0
            else { return false }
            if screen != nil { repair(&modes) }
            let marks = use.marksPastes && LineStyle.canRedraw(isTerminal: true, environment: environment)
            let leaving = screen?.leaving ?? Array((marks ? BracketedPaste.end : "").utf8)
            saved = Saved(descriptor: descriptor, modes: modes, screen: screen, leaving: leaving)
            crash_recovery_arm(descriptor, &modes, screen?.output.number ?? descriptor, leaving, leaving.count)
            set(&modes, for: use)
            // Not DRAIN on the screen: keys typed before must not be lost, and a slow terminal must not delay them.
            tcsetattr(descriptor, screen == nil ? TCSADRAIN : TCSANOW, &modes)
            if let screen { screen.output.writeSoon(screen.entering) }
            if marks { write(Array(BracketedPaste.begin.utf8), to: descriptor) }
            return true
        }
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Writes bytes to the terminal, unless it takes none now: an exit must not wait for it.
    private static func write(_ bytes: [UInt8], to descriptor: CInt) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if !bytes.isEmpty, poll(&entry, 1, 0) > 0 { _ = Glibc.write(descriptor, bytes, bytes.count) }
    }

    private static func set(_ modes: inout termios, for use: Use) {
        modes.c_lflag &= ~tcflag_t(ECHO)
        if case .hiddenLines = use { return }
        modes.c_lflag &= ~tcflag_t(ICANON)
        // Ctrl-V, Ctrl-O, Ctrl-S and Ctrl-Q are keys of the screen.
        if use.screen != nil {
            modes.c_lflag &= ~tcflag_t(IEXTEN)
            modes.c_iflag &= ~tcflag_t(IXON)
        }
        withUnsafeMutableBytes(of: &modes.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
    }

    /// Corrects the modes that a killed program left: with them, the shell would show nothing that is typed.
    private static func repair(_ modes: inout termios) {
        guard modes.c_lflag & tcflag_t(ICANON | ECHO) == 0 else { return }
        modes.c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ECHOK | ISIG | IEXTEN)
        modes.c_iflag |= tcflag_t(ICRNL | IXON)
        modes.c_oflag |= tcflag_t(OPOST | ONLCR)
    }

    /// Writes as many bytes to the screen as it can take immediately.
    /// - Returns: the number of bytes; `nil` if the process does not use the screen now.
    static func writeToScreen(_ bytes: ArraySlice<UInt8>) -> Int? {
        saved.withLock { saved in
            guard let found = saved, let screen = found.screen, isInForeground(found.descriptor),
                !crash_recovery_has_begun()
            else { return nil }
            return screen.output.writeNow(bytes)
        }
    }

    /// Restores the modes that `readKeys`, `hideInput` or `takeScreen` changed.
    public static func restore() {
        saved.withLock { saved in
            guard let found = saved else { return }
            saved = nil
            crash_recovery_disarm()
            guard isInForeground(found.descriptor) else { return }
            if let screen = found.screen {
                screen.output.writeSoon(found.leaving)
            } else {
                write(found.leaving, to: found.descriptor)
            }
            var modes = found.modes
            // Not DRAIN: an exit must not wait for a terminal that accepts no output.
            tcsetattr(found.descriptor, TCSANOW, &modes)
        }
    }

    /// Returns the columns of the terminal on standard error; `nil` if they are unknown.
    public static func width() -> Int? { width(of: STDERR_FILENO) }

    /// Returns the columns of the terminal on standard output; `nil` for a pipe or a file, where lines have any length.
    public static func outputWidth() -> Int? { width(of: STDOUT_FILENO) }

    static func width(of descriptor: CInt) -> Int? { size(of: descriptor)?.columns }

    /// Returns the size of a terminal in cells; `nil` if it is unknown.
    static func size(of descriptor: CInt) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// True if another process group is in the foreground of standard error, where a status line would disturb its
    /// text.
    public static var isShownInBackground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        return group >= 0 && group != getpgrp()
    }

    static func isInForeground(_ descriptor: CInt) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

    /// Waits until the process is in the foreground and standard input delivers single keys. A shell sends no signal
    /// to a running job that it moves to the foreground, so this checks four times a second.
    public static func waitForKeys() { waitForKeys(from: STDIN_FILENO) }

    static func waitForKeys(from descriptor: CInt) {
        // The process may change place between a check and `readKeys`, so only the saved modes count.
        while tcgetpgrp(descriptor) >= 0 {
            readKeys(from: descriptor)
            guard saved.withLock({ $0 == nil }) else { return }
            usleep(250_000)
        }
    }

    /// Waits while another process group is in the foreground, with one check in 250 ms.
    /// - Returns: `false` if the descriptor no longer has a terminal.
    static func waitForForeground(_ descriptor: CInt) -> Bool {
        while true {
            let group = tcgetpgrp(descriptor)
            guard group >= 0 else { return false }
            if group == getpgrp() { return true }
            usleep(250_000)
        }
    }

    private static let restoresAtExit: Bool =
        atexit {
            // Before `restore` takes the lock, so that a call of `take` is either restored or refused.
            Terminal.isExiting.store(true, ordering: .relaxed)
            Terminal.restore()
        } == 0
}
