// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import AudioOutput
import Glibc

/// Runs an example to its end. An error that it throws becomes a sentence on standard error and an exit status: 64
/// for invalid arguments, else 1.
/// - Parameters:
///   - usage: the program's name and its arguments.
///   - options: as in `Arguments`, like `words`.
public func runExample(
    _ usage: String, options: Set<String> = [], words: ClosedRange<Int> = 0...0,
    _ body: @Sendable (Arguments) async throws -> Void
) async {
    let line = Array(CommandLine.arguments.dropFirst())
    guard line != ["--help"] else { return print("usage: \(usage)") }
    let name = usage.prefix { $0 != " " }
    do {
        try await body(try Arguments(line, options: options, words: words))
    } catch let refusal as Refusal {
        complain("\(name): \(refusal.sentence); usage: \(usage)", status: 64)
    } catch {
        complain("\(name): \(sentence(for: error))", status: 1)
    }
}

private func complain(_ sentence: String, status: CInt) -> Never {
    let line = Array((sentence + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(status)
}

private func sentence(for error: any Error) -> String {
    switch error {
    case let error as AudioFileError: sentence(for: error)
    case AudioOutputError.noServer(let what): "no sound server: \(what)"
    case AudioOutputError.refused(let operation, let reason): "the sound server refused to \(operation): \(reason)"
    case AudioOutputError.cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
    default: "\(error)"
    }
}

private func sentence(for error: AudioFileError) -> String {
    switch error {
    case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
    case .notArrived(let path): "\(path) is incomplete"
    case .unsupported(let path, let reason): "cannot play \(path): \(reason)"
    case .damaged(let path, let reason): "cannot continue playing \(path): \(reason)"
    case .cannotRead(let path, let reason): "cannot read \(path): \(reason)"
    case .cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
    case .unsupportedFormat(let reason): reason
    case .cancelled: "cancelled"
    }
}
