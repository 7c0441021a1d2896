// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The state machine of one enclosure's download: it turns network and disk events into requests, stores and waits.
///
/// ```
/// idle ── started ──▶ connecting ── head accepted ──▶ receiving ── last byte stored ──▶ complete
///  ▲                   ▲  │  ▲                          │  │ └── ended, length unknown ─▶ unverified
///  │          deadline │  │  └── ended short, changed ──┘  │
///  └─ stopped ─ any    │  └────────▶ backingOff ◀──────────┘ interrupted
///                      └─────────────────┘   any ── fatal error, no retries left, disk ──▶ failed ── started ──▶
/// connecting, receiving, backingOff ── disk full ──▶ held ── space available ──▶ connecting
/// idle, failed ── locked by another process ──▶ following ── lock released ──▶ connecting, or complete
/// ```
/// The machine performs no I/O. Each attempt has a generation; events of earlier generations are ignored because a
/// cancelled transfer may still report.
struct DownloadStateMachine: Sendable {
    enum State: Sendable, Equatable {
        /// No transfer runs: not started, or stopped. Exit: started.
        case idle(StoredContent)
        /// A request was sent. Exits: receiving, backingOff, connecting (another request), complete, unverified,
        /// failed, idle.
        case connecting(Transfer, RangeRequest)
        /// A response body is arriving. Exits: complete, unverified, connecting, backingOff, failed, idle.
        case receiving(Transfer, IncomingBody)
        /// Waiting before the next retry. Exits: connecting, failed (disk), idle.
        case backingOff(Transfer, Wait)
        /// Waiting for free disk space. Exits: connecting, failed (disk), idle.
        case held(Transfer, Hold)
        /// Another process downloads the file; the content it has stored has not changed since `since`. Exits:
        /// connecting (that process released the file), complete, failed (disk), idle.
        case following(StoredContent, since: Duration, seen: Duration)
        /// Every byte is stored. Exits: connecting (damaged bytes were found), failed (a disk or content error).
        case complete(StoredContent)
        /// The body ended, and its completeness cannot be verified. Exit: failed (disk).
        case unverified(StoredContent)
        /// No more bytes arrive unless the download is started again. Exit: started.
        case failed(MediaFailure, StoredContent)
    }

    /// The wait between two attempts.
    struct Wait: Sendable, Equatable {
        var reason: String
        /// The time of the next attempt.
        var until: Duration
        /// The number of attempts left, including the next one.
        var triesLeft: Int
        /// True if the server specified the time.
        var isAsked = false
    }

    /// The wait for free disk space.
    struct Hold: Sendable, Equatable {
        var reason: String
        /// The free space in bytes that is required to resume.
        var needs: Int64
    }

    /// A second transfer, for a position far from that of the first. The first is cancelled only after the server has
    /// accepted the range of the second, so a server that ignores ranges costs nothing.
    struct Jump: Sendable, Equatable {
        let number: Int
        let ask: RangeRequest
    }

    /// The bytes that a request asks for.
    enum RangeRequest: Sendable, Equatable {
        /// The whole file, to be compared with the stored bytes.
        case whole
        /// A byte range; `to` is `nil` for the rest of the file.
        case rest(from: Int64, to: Int64?)
        /// The whole file, replacing the stored bytes.
        case newVersion

        var offset: Int64 { if case .rest(let offset, _) = self { offset } else { 0 } }
        /// The end of the range; `nil` for the rest of the file.
        var end: Int64? { if case .rest(_, let end) = self { end } else { nil } }
    }

    /// A response body that is being stored.
    struct IncomingBody: Sendable, Equatable {
        /// The file offset of the next byte.
        var offset: Int64
        /// The end of the body in the file; `nil` for the end of the file.
        var end: Int64?
        /// The version of this response, until its first byte is about to be stored.
        var versionToBegin: StoredContent?
        /// The version that the response declares while its bytes equal those of the stored version.
        var declaredVersion: StoredContent?
        /// The number of bytes in the last delivery.
        var delivered = 0
        /// True if this response began the stored version.
        var isFirstOfVersion = false
        /// True if the transfer coding marks the end of the body, so that a complete transfer is a complete file.
        var endIsMarked: Bool
        /// The number of bytes that were not stored before.
        var gained: Int64 = 0
        /// The number of bytes that were stored already.
        var repeated: Int64 = 0
        var unsaved: Int64 = 0
        var lastSave: Duration?
    }

    /// The maximum length of an audio file. A longer response is stopped before it fills the disk.
    static let longest: Int64 = 8 << 30
    /// The maximum number of new versions to begin if every request returns a different one.
    static let mostChanges = 3
    /// After this many bodies that end at the same byte, a server that ignores ranges, and so sends the whole file each
    /// time, is assumed to have no more. So is one without lengths whose file declares more in its tag.
    static let mostRepetitions = 2
    /// If bytes were received before, a 403, 404 or 410 may mean an expired address: the number of retries.
    static let mostDenials = 3
    /// After this many consecutive failed jumps, none is tried until the server has answered again.
    static let mostRefusals = 3
    /// Multiples of the first-byte timeout for successive attempts: some servers assemble a file before they send it.
    static let firstByteTimeouts = [1, 3, 6]
    /// This many equal bytes, or all stored ones, prove that a response with another validator has the same content.
    static let bytesProvingEquality: Int64 = 1 << 20
    /// A version that is found to differ after more than this many bytes is requested again instead of copied.
    static let longestReusedPrefix: Int64 = 16 << 20
    static let saveEvery = (bytes: Int64(4 << 20), time: Duration.seconds(2))

    private(set) var state = State.idle(StoredContent())
    /// The number of the current attempt.
    private(set) var generation = 0
    /// Counts attempts, including jumps, so that each number is unique.
    private var attempts = 0
    /// The pending jump; non-`nil` only while `receiving`.
    private(set) var jump: Jump?
    /// The declared length of the file.
    var expectedLength: ExpectedLength
    let policy: RetryPolicy
    /// The rejections that may be resolved by a new address from the feed.
    let expiry: AddressExpiry

    init(policy: RetryPolicy = RetryPolicy(), claimedLength: Int64? = nil, expiry: AddressExpiry = .never) {
        self.policy = policy
        self.expiry = expiry
        expectedLength = ExpectedLength(claimed: claimedLength)
    }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .started(let stored): start(stored)
        // Stale events come from transfers that were just cancelled.
        case .headReceived(let number, let head, let time, let jitter):
            switch number {
            case generation: judge(head, RetryContext(time: time, jitter: jitter))
            case jump?.number: judgeJump(head)
            default: []
            }
        case .bodyReceived(let number, let count, let foreign, let time, let jitter):
            number == generation ? receive(count, foreign, RetryContext(time: time, jitter: jitter)) : []
        case .bytesStored(let number, let count, let excess, let time):
            number == generation ? advance(by: count, excess: excess, at: time) : []
        case .beginningRepeated(let number):
            number == generation ? refuseRanges() : []
        case .bytesDiffered(let number):
            number == generation ? differ() : []
        case .transferEnded(let number, let outcome, let time, let jitter):
            switch number {
            case generation: end(outcome, RetryContext(time: time, jitter: jitter))
            case jump?.number: refuseJump(isLate: outcome == .late)
            default: []
            }
        case .retryDeadlinePassed(let number):
            number == generation ? retry() : []
        case .needed(let offset, let limit): steer(to: offset, limit)
        case .storageFailed(let failure): failStorage(failure)
        case .diskFull(let reason): hold(reason)
        case .lengthExpected(let length): note(length)
        case .endMissing(let missing): note(missing)
        case .contentRefused(let failure): refuseContent(failure)
        case .bytesLost(let ranges): removeLost(ranges)
        case .followed(let stored, let time): follow(stored, at: time)
        case .finishedElsewhere(let stored): finishElsewhere(stored)
        case .diskSpaceChecked(let number, let isThere): number == generation ? resumeIfSpace(isThere) : []
        case .addressRenewed(let number, let renewal): number == generation ? handle(renewal) : []
        case .stopped: stop()
        }
    }

    /// The time of an event and a random number for its retry delay.
    struct RetryContext { let time: Duration; let jitter: Double }
}

// MARK: Transitions shared by the parts of the machine
extension DownloadStateMachine {
    mutating func move(to state: State) { self.state = state }

    /// Sends the next request.
    mutating func connect(_ transfer: Transfer, _ ask: RangeRequest) -> [Action] {
        let dropped = dropJump()
        beginAttempt()
        state = .connecting(transfer, ask)
        return dropped + [.startTransfer(generation, ask, ifRange: transfer.validator(for: ask))]
    }

    /// Makes all further events of the previous attempt stale.
    mutating func beginAttempt() {
        attempts += 1
        generation = attempts
    }

    mutating func dropJump() -> [Action] {
        defer { jump = nil }
        return jump == nil ? [] : [.cancelJump]
    }

    mutating func beginJump(_ transfer: Transfer, _ ask: RangeRequest) -> [Action] {
        let dropped = dropJump()
        attempts += 1
        jump = Jump(number: attempts, ask: ask)
        return dropped + [.startJump(attempts, ask, ifRange: transfer.validator(for: ask))]
    }

    mutating func adopt(_ jump: Jump) -> [Action] {
        generation = jump.number
        self.jump = nil
        return [.cancelTransfer, .adoptJump]
    }

    mutating func complete(_ stored: StoredContent) -> [Action] {
        state = .complete(stored)
        return dropJump() + [.finish]
    }

    mutating func fail(_ failure: MediaFailure, _ stored: StoredContent) -> [Action] {
        state = .failed(failure, stored)
        return dropJump() + [.cancelTransfer, Self.saveOrDiscard(stored)]
    }

    /// Asks the retry policy for the delay before the next attempt, or fails.
    /// - Parameters:
    ///   - compared: the number of stored bytes that were compared with another version for the first time.
    ///   - mostTries: the number of attempts left if each of them ends as this one did.
    mutating func backOff(
        _ transfer: Transfer, _ trouble: RetryPolicy.FailureCause, gained: Int64, compared: Int64 = 0,
        mostTries: Int = .max, reason: MediaFailure, _ context: RetryContext
    ) -> [Action] {
        var transfer = transfer
        // A page or a lost connection is not another version of the file.
        if awaitsNewVersion { transfer.changes -= 1 }
        // A length declared only by the feed justifies one more attempt, not all retries of a network failure.
        let claimedEnd = expectedLength.isOnlyClaimed ? acceptedEnd(transfer) : nil
        if let claimedEnd, transfer.endings > 1 || gained == 0 {
            return [.cancelTransfer] + finishUnverified(transfer, claimedEnd)
        }
        let received = gained + compared
        switch transfer.policy.decide(trouble, received: received, at: context.time, jitter: context.jitter) {
        case .giveUp:
            if let claimedEnd { return [.cancelTransfer] + finishUnverified(transfer, claimedEnd) }
            return fail(reason.stating(trouble.requestedDelay), transfer.content)
        case .retry(let delay):
            let dropped = dropJump()
            beginAttempt()
            let wait = transfer.wait(reason, until: context.time + delay, trouble, mostTries: mostTries)
            state = .backingOff(transfer, wait)
            let save = transfer.content.extents.isEmpty ? [] : [Action.save(transfer.content)]
            return dropped + [.cancelTransfer] + save + [.scheduleRetry(generation, after: delay)]
        }
    }

    /// True if a new version is counted, and none of its bytes has arrived.
    private var awaitsNewVersion: Bool {
        switch state {
        case .connecting(_, let ask): ask == .newVersion
        case .receiving(let transfer, let incoming):
            incoming.versionToBegin != nil && !transfer.content.extents.isEmpty
        case .idle, .following, .backingOff, .held, .complete, .unverified, .failed: false
        }
    }

    /// Begins again because the server has different bytes; fails if that happens every time.
    mutating func beginNewVersion(_ transfer: Transfer) -> [Action] {
        var transfer = transfer
        transfer.changes += 1
        guard transfer.changes <= Self.mostChanges else { return fail(Self.restless, transfer.content) }
        return [.cancelTransfer] + connect(transfer, .newVersion)
    }

    /// Discards the file of a version without stored bytes; saves any other.
    static func saveOrDiscard(_ stored: StoredContent) -> Action { stored.extents.isEmpty ? .discard : .save(stored) }
}
