// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Playback

/// The inputs of a session from outside the player, in order of arrival.
public enum SessionInput: Sendable, Equatable {
    /// A pressed key with the player's meaning.
    case key(PlayerCommand)
    /// A pressed key that the session interprets.
    case pressed(KeyDecoder.Key)
    /// A command from a line of `--commands`; its answer contains the line.
    case command(PlayerCommand, line: String)
    /// An invalid line, with its answer.
    case badCommand(CommandAnswer)
    /// No more lines of `--commands` follow.
    case commandsEnded
    /// Ends the session cleanly with this status.
    case stop(ExitStatus)
    /// The terminal changed its width (`Terminal.width`) or its contents.
    case redraw
    /// A tick of the clock: check the status.
    case tick

    /// The source of commands.
    public enum Source: Sendable, Equatable {
        /// Keys of the terminal, after `Terminal.readKeys`.
        case keys
        /// Keys of the terminal that the session interprets.
        case plainKeys
        /// Lines of standard input.
        case lines
        case nothing
    }

    /// Passes signals, standard input and clock ticks to `handler` until the task is cancelled. Signals have their
    /// default effect only until this call.
    /// - Parameter interval: `nil` for no ticks.
    public static func follow(
        _ source: Source, tickingEvery interval: Duration? = .milliseconds(200),
        _ handler: @escaping @Sendable (SessionInput) -> Void
    ) -> Task<Void, Never> {
        let inputs = stream(from: source, tickingEvery: interval)
        return Task { for await input in inputs { handler(input) } }
    }

    /// Returns a stream of signals, standard input and clock ticks that lasts as long as the process.
    private static func stream(from source: Source, tickingEvery interval: Duration?) -> AsyncStream<SessionInput> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionInput.self)
        let signals = SignalDriver.signals(takesKeys: source == .keys || source == .plainKeys)
        Task {
            for await signal in signals {
                switch signal {
                case .stop(let status): continuation.yield(.stop(status))
                case .redraw: continuation.yield(.redraw)
                }
            }
        }
        if let interval {
            Task {
                while (try? await Task.sleep(for: interval)) != nil { continuation.yield(.tick) }
            }
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
        let start = ContinuousClock.now
        for await bytes in StandardStreams.input(preparing: { Terminal.waitForKeys() }) {
            for key in decoder.decode(bytes, at: ContinuousClock.now - start) { take(key) }
        }
    }

    private static func readLines(into continuation: AsyncStream<SessionInput>.Continuation) async {
        var splitter = LineSplitter()
        var endsPlayback = false
        func take(_ line: LineSplitter.Line) {
            let input = SessionInput(line)
            if case .command(.stop, _) = input { endsPlayback = true }
            continuation.yield(input)
        }
        for await bytes in StandardStreams.input() {
            for line in splitter.consume(bytes) { take(line) }
        }
        if let line = splitter.finish() { take(line) }
        // Playback that ends soon does not wait for more commands.
        if !endsPlayback { continuation.yield(.commandsEnded) }
    }

    init(_ line: LineSplitter.Line) {
        switch (line.command(), line) {
        case (.success(let command), .text(let text)): self = .command(command, line: text)
        case (.success(let command), _): self = .key(command)
        case (.failure(let answer), _): self = .badCommand(answer)
        }
    }
}
