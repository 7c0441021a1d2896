// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Turns what the network and the disk do into requests, stores and waits, for one enclosure.
///
/// ```
/// idle ── started ──▶ connecting ── head accepted ──▶ receiving ── last byte stored ──▶ complete
///  ▲                   ▲  │  ▲                          │  │ └── ended, length unknown ─▶ unverified
///  │          deadline │  │  └── ended short, changed ──┘  │
///  └─ stopped ─ any    │  └────────▶ backingOff ◀──────────┘ broken off
///                      └─────────────────┘      any ── hopeless, out of tries, disk ──▶ failed ── started ──▶
/// connecting, receiving, backingOff ── no room on the disk ──▶ held ── room again ──▶ connecting
/// idle, failed ── another process has the file ──▶ following ── it lets go ──▶ connecting, or complete
/// ```
/// Pure. Each attempt has a generation, and events of earlier ones are ignored: a transfer that was given up may
/// still report.
struct DownloadStateMachine: Sendable {
    enum State: Sendable, Equatable {
        /// Nothing runs: not begun, or stopped. Exit: started.
        case idle(Holding)
        /// A request is out. Exits: receiving, backingOff, connecting (in another way), complete, failed, idle.
        case connecting(Course, Ask)
        /// A body is coming in. Exits: complete, unverified, connecting, backingOff, failed, idle.
        case receiving(Course, Reception)
        /// Waiting to try again. Exits: connecting, failed (disk), idle.
        case backingOff(Course, Wait)
        /// Waiting for room on the disk. Exits: connecting, failed (disk), idle.
        case held(Course, Hold)
        /// Another process downloads it: this much is there, and has been since that time. Exits: connecting (that
        /// process has let go of the file), complete, failed (disk), idle.
        case following(Holding, since: Duration, seen: Duration)
        /// Every byte is stored. Exit: failed (the disk, while the file gets its name).
        case complete(Holding)
        /// The body ended and nothing says whether it was whole. Exit: failed (disk).
        case unverified(Holding)
        /// No more will come by itself. Exit: started.
        case failed(MediaFailure, Holding)
    }

    /// What goes from attempt to attempt.
    struct Course: Sendable, Equatable {
        var holding: Holding
        var policy: RetryPolicy
        /// How often the server turned out to have other bytes.
        var changes = 0
        /// How often in a row the server sent all that is held again, and not one byte behind it.
        var repetitions = 0
        /// Where the reader stands: what is missing from there on comes first.
        var needed: Int64 = 0
        /// A byte further ahead than this is asked for by itself.
        var skipLimit = SkipDistance.unmeasured
        /// How often in a row a jump came to nothing.
        var refusals = 0
        /// A wait was cut short for a new place since the server last answered.
        var hasTriedAtOnce = false
        /// Whether the server was seen to send from the beginning only.
        var canSkip = true
        /// Whether an answer to a range was one: else all of it is asked for.
        var takesRanges = true
        /// How often in a row a body ended before what was promised.
        var endings = 0
        /// Where it did.
        var seenEnd: Int64?
        /// How often in a row the server said that it no longer has, or gives, what it gave before.
        var denials = 0
        /// How often in a row a part was of another version by its validator.
        var strangers = 0
        /// Whether answers with other validators hold the same bytes, as from mirrors: then only bytes are compared.
        var ignoresValidators = false
        /// How often no first byte of an answer came in time.
        var lateAnswers = 0
        /// The server refused the address, for this reason, and the feed was asked for a fresh one.
        var refused: HTTPRejection?
        /// What came of that.
        var renewal: AddressRenewal?
    }

    /// The time between two tries.
    struct Wait: Sendable, Equatable {
        var reason: String
        /// When the next try is due.
        var until: Duration
        /// With the next one.
        var triesLeft: Int
        /// The server named the time.
        var isAsked = false
    }

    /// Why it is held.
    struct Hold: Sendable, Equatable {
        var reason: String
        /// Room in bytes that it goes on with.
        var needs: Int64
    }

    /// A second transfer, for a place far from where the first one is. The first is given up only when the server has
    /// agreed to the second: one that ignores ranges costs nothing.
    struct Jump: Sendable, Equatable {
        let number: Int
        let ask: Ask
    }

    /// What a request asks for.
    enum Ask: Sendable, Equatable {
        /// All of it, compared with what is held.
        case whole
        /// A stretch; `to` is `nil` for the rest.
        case rest(from: Int64, to: Int64?)
        /// All of it, to replace what is held.
        case newVersion

        var offset: Int64 { if case .rest(let offset, _) = self { offset } else { 0 } }
        /// `nil`: the rest.
        var end: Int64? { if case .rest(_, let end) = self { end } else { nil } }
    }

    /// One body on its way to disk.
    struct Reception: Sendable, Equatable {
        /// Where the next byte goes.
        var offset: Int64
        /// Where the body ends; `nil`: at the end of the file.
        var end: Int64?
        /// The version this response is of, until its first byte is to be stored.
        var pending: Holding?
        /// The version this response claims to be of, while it brings the bytes of the one that is held.
        var rival: Holding?
        /// Bytes of the last delivery.
        var delivered = 0
        /// Whether the version held was begun by this very response.
        var isFirstOfVersion = false
        /// Whether the transfer coding itself marks the end, so that a complete transfer is a whole file.
        var endIsMarked: Bool
        /// Bytes it added to those held.
        var gained: Int64 = 0
        /// Bytes that were held already.
        var repeated: Int64 = 0
        var unsaved: Int64 = 0
        var lastSave: Duration?
    }

    /// An audio file can be this long; what claims or sends more is stopped before it fills the disk.
    static let longest: Int64 = 8 << 30
    /// Where every request brings another version, this many are begun.
    static let mostChanges = 3
    /// A server that ends at the same byte so often again has no more.
    static let mostRepetitions = 2
    /// After bytes came, a 403, 404 or 410 may be an address that expired: it is asked again so often.
    static let mostDenials = 3
    /// After so many jumps in a row that came to nothing none is tried until the server has answered anew.
    static let mostRefusals = 3
    /// Some servers put a file together before they send it: each further try waits so many times as long for it.
    static let patience = [1, 3, 6]
    /// So many bytes, or all that are held, prove that another validator means the same bytes.
    static let proof: Int64 = 1 << 20
    /// A version that turns out to be another one further on is asked for again.
    static let longestCopy: Int64 = 16 << 20
    static let saveEvery = (bytes: Int64(4 << 20), time: Duration.seconds(2))

    private(set) var state = State.idle(Holding())
    /// The attempt under way.
    private(set) var generation = 0
    /// Counts attempts, jumps among them, so that none is mistaken for a later one.
    private var attempts = 0
    /// Only while `receiving`.
    private(set) var jump: Jump?
    /// How long the file is said to be.
    var promise: Promise
    let policy: RetryPolicy
    /// Which refusals may end with a fresh address of the feed.
    let expiry: AddressExpiry

    init(policy: RetryPolicy = RetryPolicy(), claimedLength: Int64? = nil, expiry: AddressExpiry = .never) {
        self.policy = policy
        self.expiry = expiry
        promise = Promise(claimed: claimedLength)
    }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .started(let holding): start(holding)
        // What is stale comes from transfers given up a moment ago.
        case .headReceived(let number, let head, let time, let jitter):
            switch number {
            case generation: judge(head, Chance(time: time, jitter: jitter))
            case jump?.number: judgeJump(head)
            default: []
            }
        case .bodyReceived(let number, let count, let foreign, let time, let jitter):
            number == generation ? take(count, foreign, Chance(time: time, jitter: jitter)) : []
        case .bytesStored(let number, let count, let excess, let time):
            number == generation ? advance(by: count, excess: excess, at: time) : []
        case .bytesDiffered(let number):
            number == generation ? differ() : []
        case .transferEnded(let number, let outcome, let time, let jitter):
            switch number {
            case generation: end(outcome, Chance(time: time, jitter: jitter))
            case jump?.number: refuseJump(isLate: outcome == .late)
            default: []
            }
        case .retryDeadlinePassed(let number):
            number == generation ? retry() : []
        case .needed(let offset, let rate): steer(to: offset, rate)
        case .storageFailed(let failure): failStorage(failure)
        case .diskFull(let reason): hold(reason)
        case .promised(let length): note(length)
        case .contentRefused(let failure): refuseContent(failure)
        case .bytesLost(let ranges): lose(ranges)
        case .followed(let holding, let time): follow(holding, at: time)
        case .finishedElsewhere(let holding): finishElsewhere(holding)
        case .roomLooked(let number, let isThere): number == generation ? look(isThere) : []
        case .addressRenewed(let number, let renewal): number == generation ? take(renewal) : []
        case .stopped: stop()
        }
    }

    /// Time and chance of an event.
    struct Chance { let time: Duration; let jitter: Double }
}

// MARK: Moves shared by the parts of the machine
extension DownloadStateMachine {
    mutating func move(to state: State) { self.state = state }

    /// Sends the next request.
    mutating func connect(_ course: Course, _ ask: Ask) -> [Action] {
        let dropped = dropJump()
        beginAttempt()
        state = .connecting(course, ask)
        return dropped + [.startTransfer(generation, ask, ifRange: course.validator(for: ask))]
    }

    /// Whatever the attempt before still reports is stale.
    mutating func beginAttempt() {
        attempts += 1
        generation = attempts
    }

    mutating func dropJump() -> [Action] {
        defer { jump = nil }
        return jump == nil ? [] : [.cancelJump]
    }

    mutating func beginJump(_ course: Course, _ ask: Ask) -> [Action] {
        let dropped = dropJump()
        attempts += 1
        jump = Jump(number: attempts, ask: ask)
        return dropped + [.startJump(attempts, ask, ifRange: course.validator(for: ask))]
    }

    mutating func adopt(_ jump: Jump) -> [Action] {
        generation = jump.number
        self.jump = nil
        return [.cancelTransfer, .adoptJump]
    }

    mutating func complete(_ holding: Holding) -> [Action] {
        state = .complete(holding)
        return dropJump() + [.finish]
    }

    mutating func fail(_ failure: MediaFailure, _ holding: Holding) -> [Action] {
        state = .failed(failure, holding)
        return dropJump() + [.cancelTransfer, Self.settle(holding)]
    }

    /// Asks the policy whether and when to try again.
    mutating func backOff(
        _ course: Course, _ trouble: RetryPolicy.Trouble, gained: Int64, reason: MediaFailure, _ chance: Chance
    ) -> [Action] {
        var course = course
        // What the feed says is worth one more try, and not the patience for a network.
        if let end = acceptedEnd(course), promise.isWeak, course.endings > 1 || gained == 0 {
            return [.cancelTransfer] + settle(course, end)
        }
        switch course.policy.decide(trouble, received: gained, at: chance.time, jitter: chance.jitter) {
        case .giveUp:
            if let end = acceptedEnd(course) { return [.cancelTransfer] + settle(course, end) }
            return fail(reason, course.holding)
        case .retry(let delay):
            let dropped = dropJump()
            beginAttempt()
            state = .backingOff(course, course.wait(reason, until: chance.time + delay, trouble))
            let save = course.holding.extents.isEmpty ? [] : [Action.save(course.holding)]
            return dropped + [.cancelTransfer] + save + [.scheduleRetry(generation, after: delay)]
        }
    }

    /// The server has other bytes than those held: begins anew, unless it does so every time.
    mutating func beginNewVersion(_ course: Course) -> [Action] {
        var course = course
        course.changes += 1
        guard course.changes <= Self.mostChanges else { return fail(Self.restless, course.holding) }
        return [.cancelTransfer] + connect(course, .newVersion)
    }

    /// A version of which nothing is held is not worth a file.
    static func settle(_ holding: Holding) -> Action { holding.extents.isEmpty ? .discard : .save(holding) }
}
