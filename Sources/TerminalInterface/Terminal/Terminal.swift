// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// The controlling terminal: single keys without echo, and its width.
///
/// The terminal keeps generating signals (ISIG), so Ctrl-C and Ctrl-Z work as usual. `restore` restores the original
/// modes; this also happens when the process exits. All methods are thread-safe.
public enum Terminal {
    /// The modes to restore; global, because the process has one terminal. `nil` if the modes are unchanged.
    private static let saved = Mutex<Saved?>(nil)

    private struct Saved {
        let descriptor: CInt
        let modes: termios
    }

    public static var standardInputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    public static var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Makes standard input deliver single keys. Does nothing if it is not a terminal, if the process is in the
    /// background and another program uses the terminal, or if it was called before.
    public static func readKeys() { readKeys(from: STDIN_FILENO) }

    static func readKeys(from descriptor: CInt) {
        // Registers the restore at exit once, before the modes change.
        _ = restoresAtExit
        saved.withLock { saved in
            var modes = termios()
            guard saved == nil, isInForeground(descriptor), tcgetattr(descriptor, &modes) == 0 else { return }
            saved = Saved(descriptor: descriptor, modes: modes)
            CrashRecovery.arm(descriptor, modes)
            modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
            withUnsafeMutableBytes(of: &modes.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
            tcsetattr(descriptor, TCSADRAIN, &modes)
        }
    }

    /// Restores the modes that `readKeys` changed.
    public static func restore() {
        saved.withLock { saved in
            guard let found = saved else { return }
            saved = nil
            CrashRecovery.disarm()
            guard isInForeground(found.descriptor) else { return }
            var modes = found.modes
            // Not DRAIN: an exit must not wait for a terminal that accepts no output.
            tcsetattr(found.descriptor, TCSANOW, &modes)
        }
    }

    /// Returns the columns of the terminal on standard error; `nil` if they are unknown.
    public static func width() -> Int? { width(of: STDERR_FILENO) }

    /// Returns the columns of the terminal on standard output; `nil` for a pipe or a file, where lines have any length.
    public static func outputWidth() -> Int? { width(of: STDOUT_FILENO) }

    static func width(of descriptor: CInt) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// True if another process group is in the foreground of standard error, where a status line would disturb its
    /// text.
    public static var isShownInBackground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        return group >= 0 && group != getpgrp()
    }

    private static func isInForeground(_ descriptor: CInt) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

    /// Waits while another process group is in the foreground. A shell sends no signal to a running job that it moves
    /// to the foreground, so this checks four times a second.
    /// - Returns: `false` if the descriptor no longer has a terminal, or the process was in the foreground.
    static func waitForForeground(_ descriptor: CInt) -> Bool {
        guard !isInForeground(descriptor) else { return false }
        while true {
            let group = tcgetpgrp(descriptor)
            guard group >= 0 else { return false }
            if group == getpgrp() { return true }
            usleep(250_000)
        }
    }

    private static let restoresAtExit: Bool = atexit { Terminal.restore() } == 0
}
