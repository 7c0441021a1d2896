// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// Input that the terminal does not echo, because it may contain passwords.
public enum HiddenInput {
    /// The terminal modes to restore; global, because the process has one terminal.
    private static let saved = Mutex<termios?>(nil)

    /// Reads lines up to an empty one or the end of the input. Ctrl-C ends the process and restores the terminal.
    /// - Parameter prompt: one line without its line end.
    public static func lines(prompt: String) async -> [String] {
        hide()
        defer { restore() }
        StandardStreams.write([.error(prompt + "\n")])
        var splitter = LineSplitter()
        var lines: [String] = []
        for await bytes in StandardStreams.input() {
            for line in splitter.consume(bytes) {
                guard case .text(let text) = line, !text.allSatisfy(\.isWhitespace) else { return lines }
                lines.append(text)
            }
        }
        if case .text(let text)? = splitter.finish() { lines.append(text) }
        return lines
    }

    /// Restores the terminal modes.
    public static func restore() {
        saved.withLock { saved in
            guard var modes = saved else { return }
            saved = nil
            tcsetattr(STDIN_FILENO, TCSANOW, &modes)
        }
    }

    private static func hide() {
        saved.withLock { saved in
            var modes = termios()
            guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
            saved = modes
            modes.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
        }
    }
}
