// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

/// The controlling terminal: keys one at a time without an echo, and its width.
///
/// Signals stay with the terminal (ISIG), so Ctrl-C and Ctrl-Z do what they always do. The modes found are put back
/// by `restore` and, whatever happens, when the process exits. Every method may be called from any thread.
public enum Terminal {
    /// The modes to put back. A terminal belongs to the process, and so does this; `nil` when nothing is changed.
    private static let saved = Mutex<Saved?>(nil)

    private struct Saved {
        let descriptor: CInt
        let modes: termios
    }

    public static var standardInputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    public static var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Takes keys from standard input one at a time from now on. Does nothing where that is no terminal, where the
    /// process is in the background (the terminal is somebody else's then), or when it was done before.
    public static func readKeys() { readKeys(from: STDIN_FILENO) }

    static func readKeys(from descriptor: CInt) {
        // Looked up once, before anything can go wrong: restoring at exit is registered a single time.
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

    /// Puts back what `readKeys` changed.
    public static func restore() {
        saved.withLock { saved in
            guard let found = saved else { return }
            saved = nil
            CrashRecovery.disarm()
            guard isInForeground(found.descriptor) else { return }
            var modes = found.modes
            // Not DRAIN: an exit must not wait for a terminal that takes no output.
            tcsetattr(found.descriptor, TCSANOW, &modes)
        }
    }

    /// Columns of the terminal behind standard error; `nil` where there is none or it does not say.
    public static func width() -> Int? { width(of: STDERR_FILENO) }

    /// Columns of the terminal behind standard output; `nil` for a pipe or a file: lines there are as long as they are.
    public static func outputWidth() -> Int? { width(of: STDOUT_FILENO) }

    static func width(of descriptor: CInt) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether another process group has the terminal of standard error: what is drawn there would land in its text.
    public static var isShownInBackground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        return group >= 0 && group != getpgrp()
    }

    private static func isInForeground(_ descriptor: CInt) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

    /// Waits while another process group has the terminal. A shell that takes a running job to the foreground sends no
    /// signal, so this looks four times a second.
    /// - Returns: `false` when the descriptor has no terminal any more, or the process had it all the time.
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
