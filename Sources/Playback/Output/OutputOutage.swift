// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import AudioOutput
public import Media

/// The loss of the output: it determines when to retry, and whether sound may resume automatically afterwards. A pure
/// value on the caller's clock.
public struct OutputOutage: Sendable, Equatable {
    /// The longest outage after which playback resumes automatically: after a longer one, sudden sound would startle
    /// the listener.
    private static let longestUnnoticed = Duration.seconds(300)
    private static let firstDelay = Duration.milliseconds(500)
    private static let longestDelay = Duration.seconds(5)

    public let reason: MediaFailure
    private let began: Duration
    private var delay = firstDelay
    private var nextAttempt: Duration
    /// The number of attempts, including the current one, whose number it is.
    public private(set) var attempts = 0
    private var isTrying = false
    /// True after the listener has asked for sound during the outage, which is then no surprise.
    public private(set) var isSoundWanted = false

    public init(_ reason: MediaFailure, at now: Duration) {
        self.reason = reason
        began = now
        nextAttempt = now + Self.firstDelay
    }

    /// Starts an attempt if one is due.
    /// - Returns: true if an attempt starts now.
    mutating func beginAttempt(at now: Duration) -> Bool {
        guard !isTrying, now >= nextAttempt else { return false }
        isTrying = true
        attempts += 1
        return true
    }

    /// Ends the current attempt as failed; also if the output was lost again right after it.
    mutating func failedTry(at now: Duration) {
        guard isTrying else { return }
        isTrying = false
        delay = min(delay * 2, Self.longestDelay)
        nextAttempt = now + delay
    }

    /// Notes that the listener asks for sound. The next attempt starts immediately.
    public mutating func wantSound(at now: Duration) {
        isSoundWanted = true
        if !isTrying { nextAttempt = now }
    }

    /// Returns true if attempt `number` is in progress.
    func isInProgress(_ number: Int) -> Bool { isTrying && number == attempts }

    /// Returns the reason to pause after the outage; `nil` if it was so short that sound may resume automatically.
    public func pauseReason(at now: Duration) -> String? {
        guard now - began > Self.longestUnnoticed, !isSoundWanted else { return nil }
        return "the sound output was unavailable for more than five minutes"
    }
}

/// The present outage of an output; `nil` while the output is available.
extension OutputOutage? {
    /// Notes the loss of the output.
    /// - Returns: true if an outage begins; false if the present attempt opened an output that was lost again.
    public mutating func lose(_ reason: MediaFailure, at now: Duration) -> Bool {
        guard self == nil else {
            self?.failedTry(at: now)
            return false
        }
        self = OutputOutage(reason, at: now)
        return true
    }

    /// Starts an attempt to open the output again if one is due.
    /// - Returns: the number of the attempt; `nil` if none starts now.
    public mutating func startAttempt(at now: Duration) -> Int? {
        self?.beginAttempt(at: now) == true ? self?.attempts : nil
    }

    /// Ends attempt `number`.
    /// - Returns: the outage that is over; `nil` if the attempt failed or is outdated.
    public mutating func endAttempt(_ number: Int, hasFailed: Bool, at now: Duration) -> OutputOutage? {
        guard self?.isInProgress(number) == true else { return nil }
        guard hasFailed else { return take() }
        self?.failedTry(at: now)
        return nil
    }
}

extension AudioSink {
    /// Opens the output again after a loss, on a separate thread, because it may block.
    /// - Parameter finished: receives the result, on any thread.
    public func openAgain(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void, finished: @escaping @Sendable (AudioOutputError?) -> Void
    ) {
        let thread = WorkerThread.start {
            do throws(AudioOutputError) {
                try self.open(format, pulling: source, events: events)
                finished(nil)
            } catch {
                finished(error)
            }
        }
        guard let thread else { return finished(.refused(operation: "retry", reason: "cannot create a thread")) }
        thread.detach()
    }
}
