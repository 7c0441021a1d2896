// SPDX-License-Identifier: GPL-3.0-or-later

/// Everything that reaches a session from outside the player, in the order in which it comes.
public enum SessionInput: Sendable, Equatable {
    /// A key was pressed.
    case key(PlayerCommand)
    /// A key was pressed whose meaning the session knows.
    case pressed(KeyDecoder.Key)
    /// A line of `--commands` asks this; its answer carries the line.
    case command(PlayerCommand, line: String)
    /// A line that asks nothing; the answer is ready.
    case badCommand(CommandAnswer)
    /// End in good order with this status.
    case stop(ExitStatus)
    /// The terminal has another width, or shows something else: `Terminal.width` tells.
    case redraw
    /// Time to look at the status.
    case tick

    /// Where commands come from.
    public enum Source: Sendable, Equatable {
        /// Keys of the terminal, which `Terminal.readKeys` has taken.
        case keys
        /// The same, and the session says what they mean.
        case plainKeys
        /// Lines of standard input.
        case lines
        case nothing
    }

    /// Watches signals, standard input and the clock; ends with the process.
    public static func stream(from source: Source, tickingEvery interval: Duration) -> AsyncStream<SessionInput> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionInput.self)
        Task {
            for await signal in SignalDriver.signals(takesKeys: source == .keys || source == .plainKeys) {
                switch signal {
                case .stop(let status): continuation.yield(.stop(status))
                case .redraw: continuation.yield(.redraw)
                }
            }
        }
        Task {
            while (try? await Task.sleep(for: interval)) != nil { continuation.yield(.tick) }
        }
        switch source {
        case .keys:
            Task { await readKeys { key in key.command.map { _ = continuation.yield(.key($0)) } } }
        case .plainKeys: Task { await readKeys { continuation.yield(.pressed($0)) } }
        case .lines: Task { await readLines(into: continuation) }
        case .nothing: break
        }
        return stream
    }

    private static func readKeys(_ take: (KeyDecoder.Key) -> Void) async {
        var decoder = KeyDecoder()
        for await bytes in StandardStreams.input(inForeground: { Terminal.readKeys() }) {
            for key in decoder.decode(bytes) { take(key) }
        }
    }

    private static func readLines(into continuation: AsyncStream<SessionInput>.Continuation) async {
        var splitter = LineSplitter()
        for await bytes in StandardStreams.input() {
            for line in splitter.consume(bytes) { continuation.yield(SessionInput(line)) }
        }
        if let line = splitter.finish() { continuation.yield(SessionInput(line)) }
    }

    init(_ line: LineSplitter.Line) {
        switch (line.command(), line) {
        case (.success(let command), .text(let text)): self = .command(command, line: text)
        case (.success(let command), _): self = .key(command)
        case (.failure(let answer), _): self = .badCommand(answer)
        }
    }
}
