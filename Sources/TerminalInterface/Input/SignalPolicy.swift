// SPDX-License-Identifier: GPL-3.0-or-later

/// The actions for each signal during playback. A pure value: `SignalDriver` performs the actions.
public struct SignalPolicy: Sendable {
    public enum Action: Sendable, Equatable {
        /// Ends the session cleanly with this status.
        case stop(ExitStatus)
        /// Ends the process immediately after a second request.
        case exitAtOnce(ExitStatus)
        case restoreTerminal
        case suspendProcess
        case takeTerminal
        case redraw
    }

    private var stopping: ExitStatus?

    public init() {}

    public mutating func handle(_ signal: ProcessSignal) -> [Action] {
        switch signal {
        case .interrupt: return stop(.interrupted)
        case .quit: return stop(.quit)
        case .terminate: return stop(.terminated)
        case .hangUp: return stop(.hungUp)
        // If the process did not stop, no SIGCONT follows.
        case .suspend: return [.restoreTerminal, .suspendProcess] + resume
        // After SIGSTOP, which cannot be caught.
        case .resume: return resume
        case .resize: return [.redraw]
        }
    }

    private var resume: [Action] { stopping == nil ? [.takeTerminal, .redraw] : [] }

    private mutating func stop(_ status: ExitStatus) -> [Action] {
        guard stopping == nil else { return [.exitAtOnce(status)] }
        stopping = status
        return [.stop(status)]
    }
}
