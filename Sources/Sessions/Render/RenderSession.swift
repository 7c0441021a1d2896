// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import EpisodeSources
import Glibc
import HTTPTransfer
import Media
import Subscriptions
import Synchronization
package import TerminalInterface

/// A run of `earshot render`: resolves the inputs and writes them, and stops on a signal.
package struct RenderSession {
    private enum Event: Sendable {
        case person(SessionInput)
        case done(Result<RenderWork.Written, RenderFailure>)
    }

    package static func run(_ options: RenderOptions) async -> TerminalInterface.ExitStatus {
        await SessionParts.run(options.session, for: options.inputs.map(\.target)) { parts in
            await run(options, parts.audioOpener)
        }
    }

    private static func run(
        _ options: RenderOptions, _ opening: AudioOpener
    ) async -> TerminalInterface.ExitStatus {
        let progress = RenderProgress()
        let (events, send) = AsyncStream.makeStream(of: Event.self)
        let people = SessionInput.follow(.nothing) { send.yield(.person($0)) }
        let work = Task {
            do throws(RenderFailure) {
                var inputs: [RenderWork.Input] = []
                for input in options.inputs { inputs.append(try await found(input, opening)) }
                let work = RenderWork(options: options, inputs: inputs, opening: opening, progress: progress)
                let result = await DiskWork.run { () throws(Never) in
                    Result { () throws(RenderFailure) in try work.run() }
                }
                for input in inputs { await opening.close(input.resolved) }
                send.yield(.done(result))
            } catch {
                send.yield(.done(.failure(error)))
            }
        }
        defer {
            people.cancel()
            work.cancel()
        }
        return await follow(events, progress, options)
    }

    private static func found(
        _ input: RenderInput, _ opening: AudioOpener
    ) async throws(RenderFailure) -> RenderWork.Input {
        do throws(MediaFailure) {
            return RenderWork.Input(resolved: try await opening.resolve(input.target), section: input.section)
        } catch {
            throw RenderFailure(error, about: TargetResolver.shown(input.target))
        }
    }

    private static func follow(
        _ events: AsyncStream<Event>, _ progress: RenderProgress, _ options: RenderOptions
    ) async -> TerminalInterface.ExitStatus {
        let isQuiet = options.session.quiet
        var text = RenderText(draws: Terminal.standardErrorIsTerminal && !isQuiet, isQuiet: isQuiet)
        var status = TerminalInterface.ExitStatus.success
        for await event in events {
            switch event {
            case .person(.stop(let asked)):
                status = asked
                // The work removes the partial file before the session ends.
                progress.stop.set()
            case .person(.tick): StandardStreams.write(text.refresh(progress.rendered))
            case .person: break
            case .done(.success(let written)):
                StandardStreams.write(
                    text.finish(written.file)
                        + written.damage.map { FailureText.line($0.failure, about: $0.subject) })
                guard status == .success, let first = written.damage.first else { return status }
                return ExitStatus(first.failure.kind)
            case .done(.failure(let failure)):
                guard status == .success else {
                    StandardStreams.write(text.clear())
                    return status
                }
                StandardStreams.write(text.clear() + [FailureText.line(failure.failure, about: failure.subject)])
                return ExitStatus(failure.failure.kind)
            }
        }
        return status
    }
}

/// The progress of the work, and its stop flag.
final class RenderProgress: Sendable {
    let frames = Atomic<Int64>(0)
    let sampleRate = Atomic<Int>(0)
    let stop = StopFlag()

    /// The duration of the written audio; `nil` before the first frames.
    var rendered: Duration? {
        let rate = sampleRate.load(ordering: .relaxed)
        guard rate > 0 else { return nil }
        return AudioFormat(sampleRate: rate, channels: 1).duration(ofFrames: frames.load(ordering: .relaxed))
    }
}

/// A failure and its subject.
struct RenderFailure: Error {
    let failure: MediaFailure
    let subject: String

    init(_ failure: MediaFailure, about subject: String) {
        (self.failure, self.subject) = (failure, subject)
    }
}
