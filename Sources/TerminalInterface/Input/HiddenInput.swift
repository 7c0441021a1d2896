// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Synchronization

/// Input that the terminal does not echo, because it may contain passwords.
public enum HiddenInput {
    private static let isReading = Atomic<Bool>(false)

    /// Reads lines up to an empty one or the end of the input.
    /// - Parameter prompt: one line without its line end.
    public static func lines(prompt: String) async -> [String] {
        isReading.store(true, ordering: .sequentiallyConsistent)
        Terminal.hideInput()
        defer {
            isReading.store(false, ordering: .sequentiallyConsistent)
            Terminal.restore()
        }
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

    /// Hides the input again after the process was stopped.
    public static func resume() {
        if isReading.load(ordering: .sequentiallyConsistent) { Terminal.hideInput() }
    }
}
