// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Glibc
public import HTTPTransfer
public import Logging
public import Media
import Synchronization

/// Downloads one enclosure into one file, over as many transfers as it takes, and shows the bytes as they come.
///
/// It performs what `DownloadStateMachine` decides, and decides nothing. Bytes are stored on the transport's thread;
/// what waits for the device (manifests, the final name) happens on a queue of its own, so that a slow disk holds up
/// no other transfer.
public final class EpisodeDownload: Sendable {
    /// The length in bytes that a file promises in its first bytes (2 MiB of it, or all): MP3 has it in a tag. `nil`
    /// where it says nothing.
    public typealias FilePromise = @Sendable (UnsafeRawBufferPointer) -> Int64?
    /// Why a file that is whole holds nothing that can be played; `nil` where it does.
    public typealias ContentCheck = @Sendable (any ByteSource) -> MediaFailure?

    /// Asks the feed that names the enclosure for the address that it gives now.
    public typealias Renewal = @Sendable () async -> AddressRenewal

    /// Readable from the start; where the version changes, its successor follows the download.
    public let source: DownloadedByteSource

    /// What every request of it has in common, until the feed gives another address.
    private let first: HTTPRequest
    var url: String { first.url }
    let location: DownloadLocation
    let transport: any HTTPTransport
    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    let logger: Logger
    let calls: DiskCalls
    let reserve: DiskReserve
    let promise: FilePromise
    let purpose: Purpose
    let check: ContentCheck
    let renewal: Renewal?
    /// Saves, names and removes; runs nothing that takes the lock below.
    let disk = DispatchQueue(label: "earshot.download.disk")
    /// What the reader asks for, one after the other: it waits for no disk, and not for the lock below.
    private let orders = DispatchQueue(label: "earshot.download.orders")
    /// Set on that queue, of whichever download.
    private static let isOrdering = DispatchSpecificKey<Bool>()
    /// The latest save asked for; those queued before it are passed over.
    let latestSave = Atomic<Int>(0)
    let core: Mutex<Core>

    struct Core: Sendable {
        var machine: DownloadStateMachine
        /// Shows the version that is downloaded.
        var source: DownloadedByteSource
        var file: PartialFile?
        /// The file of another process that downloads the episode.
        var followed: FollowedFile?
        /// What every request has in common.
        var enclosure: HTTPRequest
        /// What the server said of the version that is downloaded.
        var conditions: RequestConditions?
        var firstBytes = FirstBytes()
        /// The running transfer, once the transport has named it.
        var transfer: TransferID?
        /// The same of the machine's jump.
        var jump: TransferID?
        var retry: Task<Void, Never>?
        /// Bytes that may be stored before the disk is looked at.
        var allowance: Int64 = 0
    }

    /// What is done after the lock is released, because the transport may call back.
    enum Request: Sendable {
        case start(Int, HTTPRequest)
        case cancel(TransferID)
    }

    /// - Parameters:
    ///   - enclosure: asks for the whole of it; every request goes to that address and follows redirects anew, because
    ///     signed addresses expire.
    ///   - file: where it is kept.
    ///   - claimedLength: bytes, as the feed has it; a body that nobody gave a length is asked for once more where it
    ///     is much shorter.
    ///   - promise: reads what the file itself says.
    ///   - check: looks at the whole before it gets its final name.
    ///   - clock: measures throughput and waits between tries.
    ///   - reserve: bytes that stay free on the file system; where nothing is said 256 MiB, or a twentieth of a
    ///     smaller one.
    ///   - purpose: decides what happens while another process downloads the same episode.
    ///   - renewal: asks for a fresh address once the server refuses the one that is known.
    public convenience init(
        _ enclosure: HTTPRequest, file: DownloadLocation, transport: any HTTPTransport, claimedLength: Int64? = nil,
        promise: @escaping FilePromise = { _ in nil }, check: @escaping ContentCheck = { _ in nil },
        policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock(), reserve: Int64? = nil,
        for purpose: Purpose = .keeping, renewal: Renewal? = nil, logger: Logger
    ) {
        self.init(
            enclosure, file: file, transport: transport, claimedLength: claimedLength, promise: promise, check: check,
            policy: policy, clock: clock, reserve: reserve, for: purpose, renewal: renewal, logger: logger,
            calls: DiskCalls())
    }

    init(
        _ enclosure: HTTPRequest, file: DownloadLocation, transport: any HTTPTransport, claimedLength: Int64? = nil,
        promise: @escaping FilePromise = { _ in nil }, check: @escaping ContentCheck = { _ in nil },
        policy: RetryPolicy, clock: any Clock<Duration>, reserve: Int64? = nil, for purpose: Purpose = .keeping,
        renewal: Renewal? = nil, logger: Logger, calls: DiskCalls
    ) {
        first = enclosure
        self.renewal = renewal
        location = file
        self.transport = transport
        self.clock = clock
        self.logger = logger
        self.calls = calls
        self.promise = promise
        self.purpose = purpose
        self.check = check
        self.reserve = DiskReserve(bytes: reserve)
        stopwatch = Stopwatch(clock: clock)
        orders.setSpecific(key: Self.isOrdering, value: true)
        source = DownloadedByteSource(stopwatch: stopwatch)
        let expiry = renewal == nil ? .never : AddressExpiry.possible(hasToken: enclosure.url.contains("?"))
        let machine = DownloadStateMachine(policy: policy, claimedLength: claimedLength, expiry: expiry)
        core = Mutex(Core(machine: machine, source: source, enclosure: enclosure))
    }

    /// Whether the body ended without its length ever being said: it is treated as whole, and may not be.
    public var isUnverified: Bool {
        core.withLock { core in if case .unverified = core.machine.state { true } else { false } }
    }

    /// What is there of what was promised, where the episode ended before that; known once it has ended.
    public var shortfall: Shortfall? { core.withLock { $0.machine.shortfall } }

    /// Begins, or goes on with what is held. What goes wrong shows in `source`, which keeps the download alive until
    /// it is closed.
    public func start() {
        source.serve(
            .init(
                stop: { self.cancel() }, steer: { self.steer(to: $0, rate: $1) },
                retry: { self.retry() }))
        retry()
    }

    /// Asks at once for what is missing, where nothing is under way; first what is held is compared with its hashes.
    private func retry() {
        orders.async { [self] in
            let (shown, event) = core.withLock { core in
                (core.source, core.machine.canStart ? open(&core) : .retryDeadlinePassed(core.machine.generation))
            }
            handle(event)
            // It may have been left for its successor.
            shown.wake()
        }
    }

    /// Returns once what was asked for so far is under way. Who is woken by that must not wait for it.
    func settle() {
        if DispatchQueue.getSpecific(key: Self.isOrdering) == nil { orders.sync {} }
    }

    /// Stops, and returns once what is held is safe on disk. The bytes stay readable, and `start` goes on with them.
    public func cancel() {
        settle()
        handle(.stopped)
        disk.sync {}
        core.withLock { core in
            if core.machine.canStart { (core.file, core.followed) = (nil, nil) }
        }
    }
}

// MARK: Performing
extension EpisodeDownload {
    /// - Parameter file: what happened to this one; where the download has another by now, that does not matter.
    func handle(
        _ event: DownloadStateMachine.Event, delivering body: UnsafeRawBufferPointer? = nil,
        to file: PartialFile? = nil
    ) {
        let (requests, sources) = core.withLock { core -> ([Request], [DownloadedByteSource]) in
            if let file, core.file !== file { return ([], []) }
            let before = core.source
            let requests = run(event, body, &core)
            return (requests, before === core.source ? [before] : [before, core.source])
        }
        send(requests)
        for source in sources { source.wake() }
    }

    /// The reader says where it stands. It is not woken by that.
    private func steer(to offset: Int64, rate: Double?) {
        orders.async { [self] in
            send(core.withLock { core in run(.needed(from: offset, rate: rate), nil, &core) })
        }
    }

    private func send(_ requests: [Request]) {
        for request in requests {
            switch request {
            case .start(let generation, let request): begin(request, generation)
            case .cancel(let id): transport.cancel(id)
            }
        }
    }

    private func run(
        _ first: DownloadStateMachine.Event, _ body: UnsafeRawBufferPointer?, _ core: inout Core
    ) -> [Request] {
        var requests: [Request] = []
        var next: DownloadStateMachine.Event? = first
        while let event = next {
            next = nil
            let actions = core.machine.handle(event)
            trace(actions, core.machine)
            for action in actions where next == nil {
                next = perform(action, body, &core, &requests)
            }
        }
        if core.machine.isAtRest { letGo(core) }
        core.source.show(core.machine)
        return requests
    }

    /// Lets another process go on with the file, once what was asked for so far is on disk.
    private func letGo(_ core: Core) {
        guard let file = core.file, file.isLocked else { return }
        disk.async { file.letGo() }
    }

    /// - Returns: what came of it, where the machine must know; the actions behind it are then void.
    private func perform(
        _ action: DownloadStateMachine.Action, _ body: UnsafeRawBufferPointer?, _ core: inout Core,
        _ requests: inout [Request]
    ) -> DownloadStateMachine.Event? {
        switch action {
        case .startTransfer(let generation, let ask, let validator):
            // The reader may have asked before the wait was over.
            core.retry?.cancel()
            core.firstBytes = FirstBytes()
            requests.append(.start(generation, request(core.enclosure, ask, validator, core.machine.patience)))
        case .cancelTransfer:
            core.retry?.cancel()
            if let id = core.transfer { requests.append(.cancel(id)) }
            core.transfer = nil
        case .startJump(let number, let ask, let validator):
            requests.append(.start(number, request(core.enclosure, ask, validator, core.machine.patience)))
        case .cancelJump:
            if let id = core.jump { requests.append(.cancel(id)) }
            core.jump = nil
        case .adoptJump:
            core.firstBytes = FirstBytes()
            (core.transfer, core.jump) = (core.jump, nil)
        case .replaceFile: return replaceFile(&core)
        case .replaceFileAfter(let count): return replaceFile(after: count, &core)
        case .recordVersion(let version): record(version, core)
        case .store(let offset, let count, let excess): return store(body, offset, count, excess, &core)
        case .save(let holding): save(holding, core)
        case .finish:
            if let refusal = inspect(&core) { return refusal }
            let total = core.machine.holding.entity.total ?? .max
            let holding = core.machine.holding
            let conditions = core.conditions ?? RequestConditions(holding.entity.validator)
            onDisk(core) { [self] file throws(SystemError) in try finish(file, holding, total: total, conditions) }
        case .discard:
            guard core.file != nil else { return nil }
            onDisk(core) { file throws(SystemError) in try file.discard() }
            core.file = nil
            core.source.showNothing()
        case .scheduleRetry(let generation, let delay):
            core.retry?.cancel()
            core.retry = retry(generation, after: delay)
        case .lookForRoom(let generation, let gap): return look(generation, gap, core)
        case .followOrTakeOver:
            if let whole = wholeLocation(core) { return showWhole(whole, &core) }
            return open(&core)
        case .renewAddress(let generation): renewAddress(generation)
        }
        return nil
    }

    /// No payloads: heads and addresses may carry secrets.
    private func trace(_ actions: [DownloadStateMachine.Action], _ machine: DownloadStateMachine) {
        logger.trace(
            "download step",
            metadata: [
                "download.condition": "\(machine.condition)", "download.attempt": "\(machine.generation)",
                "download.actions": "\(actions.count)",
            ])
    }
}
