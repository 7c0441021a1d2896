// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Glibc
public import HTTPTransfer
public import Logging
import Media
import Synchronization

/// Downloads one enclosure into one file, using as many transfers as necessary, and makes the bytes readable as they
/// arrive.
///
/// The class carries out the decisions of `DownloadStateMachine` and makes none itself. Bytes are stored on the
/// transport's thread; work that waits for the device (manifests, the final name) runs on a separate queue, so a slow
/// disk does not delay other transfers.
public final class EpisodeDownload: Sendable {
    /// Asks the feed that lists the enclosure for its current address.
    public typealias Renewal = @Sendable () async -> AddressRenewal

    /// The downloaded bytes, readable from the start. If the version changes, the successor of this source follows
    /// the download.
    public let source: DownloadedByteSource

    /// The request for the enclosure, as used until the feed provides another address.
    private let first: HTTPRequest
    var url: String { first.url }
    let location: DownloadLocation
    let transport: any HTTPTransport
    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    let logger: Logger
    let calls: DiskCalls
    let reserve: DiskReserve
    let purpose: Purpose
    let rules: ContentRules
    let renewal: Renewal?
    /// Saves, renames and removes files; runs no work that acquires `core`.
    let disk = DispatchQueue(label: "earshot.download.disk")
    /// Runs the reader's requests in order, so that the reader waits neither for the disk nor for `core`.
    private let orders = DispatchQueue(label: "earshot.download.orders")
    /// Set on the `orders` queue of every download.
    private static let isOrdering = DispatchSpecificKey<Bool>()
    /// The number of the latest requested save; saves queued before it are skipped.
    let latestSave = Atomic<Int>(0)
    /// True from `cancel` until the next start.
    let isCancelled = Atomic<Bool>(false)
    let core: Mutex<Core>

    struct Core: Sendable {
        var machine: DownloadStateMachine
        /// Shows the version that is being downloaded.
        var source: DownloadedByteSource
        var file: PartialFile?
        /// The file of another process that downloads the episode.
        var followed: FollowedFile?
        /// The basis of every request.
        var enclosure: HTTPRequest
        /// The validators that the server sent for the version being downloaded.
        var conditions: RequestConditions?
        var firstBytes = FirstBytes()
        /// The running transfer, once the transport has assigned its identifier.
        var transfer: TransferID?
        /// The same for the machine's jump.
        var jump: TransferID?
        var retry: Task<Void, Never>?
        /// The number of bytes that may be stored before the free disk space is checked again.
        var allowance: Int64 = 0
    }

    /// Calls made after the lock is released, because the transport may call back.
    enum Request: Sendable {
        case start(Int, HTTPRequest)
        case cancel(TransferID)
    }

    /// - Parameters:
    ///   - enclosure: The request for the whole enclosure. Every request uses its address and follows redirects again,
    ///     because signed addresses expire.
    ///   - file: The location of the file.
    ///   - claimedLength: The length in bytes that the feed declares; a body of undeclared length that is much shorter
    ///     is requested once more.
    ///   - rules: Check the length and the content of the file.
    ///   - clock: Measures throughput and waits between retries.
    ///   - reserve: The number of bytes to leave free on the file system; by default 256 MiB, or a twentieth of a
    ///     smaller file system.
    ///   - purpose: Decides how to proceed while another process downloads the same episode.
    ///   - renewal: Asks for a new address once the server rejects the known one.
    public convenience init(
        _ enclosure: HTTPRequest, file: DownloadLocation, transport: any HTTPTransport, claimedLength: Int64? = nil,
        rules: ContentRules = ContentRules(), policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(), reserve: Int64? = nil, for purpose: Purpose = .keeping,
        renewal: Renewal? = nil, logger: Logger
    ) {
        self.init(
            enclosure, file: file, transport: transport, claimedLength: claimedLength, rules: rules, policy: policy,
            clock: clock, reserve: reserve, for: purpose, renewal: renewal, logger: logger, calls: DiskCalls())
    }

    init(
        _ enclosure: HTTPRequest, file: DownloadLocation, transport: any HTTPTransport, claimedLength: Int64? = nil,
        rules: ContentRules, policy: RetryPolicy, clock: any Clock<Duration>, reserve: Int64? = nil,
        for purpose: Purpose = .keeping, renewal: Renewal? = nil, logger: Logger, calls: DiskCalls
    ) {
        first = enclosure
        self.renewal = renewal
        location = file
        self.transport = transport
        self.clock = clock
        self.logger = logger
        self.calls = calls
        self.purpose = purpose
        self.rules = rules
        self.reserve = DiskReserve(bytes: reserve)
        stopwatch = Stopwatch(clock: clock)
        orders.setSpecific(key: Self.isOrdering, value: true)
        source = DownloadedByteSource(stopwatch: stopwatch)
        let expiry = renewal == nil ? .never : AddressExpiry.possible(hasToken: WebURL(enclosure.url).query != nil)
        let machine = DownloadStateMachine(policy: policy, claimedLength: claimedLength, expiry: expiry)
        core = Mutex(Core(machine: machine, source: source, enclosure: enclosure))
    }

    /// The stored and the expected length if the episode ended early; `nil` until it has ended.
    public var shortfall: Shortfall? { core.withLock { $0.machine.shortfall } }

    /// Starts the download, or resumes with the stored content. Failures are reported by `source`, which keeps the
    /// download alive until it is closed.
    public func start() {
        isCancelled.store(false, ordering: .relaxed)
        source.serve(
            .init(
                stop: { self.cancel() }, steer: { self.steer($0, to: $1, limit: $2) },
                retry: { self.retry() }, waitForFile: { self.waitForFile() }))
        retry()
    }

    /// Requests the missing bytes immediately if no transfer runs; before that, stored content is compared with its
    /// hashes.
    private func retry() {
        // Under one lock, so that damage found in the meantime reaches a machine that knows the stored bytes.
        orders.async { [self] in
            handle { core in
                // A download that another one's queue cancels does not wait for this block.
                guard !isCancelled.load(ordering: .relaxed) else { return nil }
                return core.machine.canStart ? open(&core) : .retryDeadlinePassed(core.machine.generation)
            }
        }
    }

    /// Waits until all requests issued so far were started; returns immediately on the `orders` queue, which must not
    /// wait for itself.
    func waitForQueuedEvents() {
        if DispatchQueue.getSpecific(key: Self.isOrdering) == nil { orders.sync {} }
    }

    /// Stops the download and returns once the stored content is durable. The bytes stay readable, and `start`
    /// resumes.
    public func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        waitForQueuedEvents()
        handle(.stopped)
        disk.sync {}
        core.withLock { core in
            if core.machine.canStart { (core.file, core.followed) = (nil, nil) }
        }
    }
}

// MARK: Carrying out actions
extension EpisodeDownload {
    /// - Parameter file: The file of the event, which is ignored if the download has another one by now.
    func handle(
        _ event: DownloadStateMachine.Event, delivering body: UnsafeRawBufferPointer? = nil,
        to file: PartialFile? = nil
    ) {
        handle(delivering: body) { core in file == nil || core.file === file ? event : nil }
    }

    /// Handles the event that `determine` returns, if any, and wakes the readers.
    private func handle(
        delivering body: UnsafeRawBufferPointer? = nil, _ determine: (inout Core) -> DownloadStateMachine.Event?
    ) {
        let (requests, sources) = core.withLock { core -> ([Request], [DownloadedByteSource]) in
            let before = core.source
            guard let event = determine(&core) else { return ([], []) }
            let requests = run(event, body, &core)
            return (requests, before === core.source ? [before] : [before, core.source])
        }
        send(requests)
        for source in sources { source.wake() }
    }

    /// Passes the position in `source` to the machine, unless another version has replaced it. Wakes no reader.
    private func steer(_ source: DownloadedByteSource, to offset: Int64, limit: Int64?) {
        orders.async { [self] in
            send(core.withLock { $0.source === source ? run(.needed(from: offset, limit: limit), nil, &$0) : [] })
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
        if core.machine.isIdle { releaseFile(core) }
        core.source.show(core.machine)
        return requests
    }

    /// Releases the file for other processes once all requested writes are on disk.
    private func releaseFile(_ core: Core) {
        guard core.file?.isLocked == true else { return }
        // Only a locked file can lose a damaged block, for which a reader of a complete file must not wait.
        let isComplete = core.machine.condition == .complete
        onDiskIfWritable(core) { [self] file throws(SystemError) in
            defer { file.releaseLock() }
            if isComplete { try verify(file) }
        }
    }

    /// Carries out one action.
    /// - Returns: The resulting event for the machine, if any; the remaining actions are then dropped.
    private func perform(
        _ action: DownloadStateMachine.Action, _ body: UnsafeRawBufferPointer?, _ core: inout Core,
        _ requests: inout [Request]
    ) -> DownloadStateMachine.Event? {
        switch action {
        case .startTransfer(let generation, let ask, let validator):
            // The reader may have asked before the wait was over.
            core.retry?.cancel()
            core.firstBytes = FirstBytes()
            requests.append(.start(generation, request(core.enclosure, ask, validator, core.machine.timeoutFactor)))
        case .cancelTransfer:
            core.retry?.cancel()
            if let id = core.transfer { requests.append(.cancel(id)) }
            core.transfer = nil
        case .startJump(let number, let ask, let validator):
            requests.append(.start(number, request(core.enclosure, ask, validator, core.machine.timeoutFactor)))
        case .cancelJump:
            if let id = core.jump { requests.append(.cancel(id)) }
            core.jump = nil
        case .adoptJump:
            core.firstBytes = FirstBytes()
            (core.transfer, core.jump) = (core.jump, nil)
        case .replaceFile: return replaceFile(&core)
        case .replaceFileAfter(let count): return replaceFile(after: count, &core)
        case .recordVersion(let version):
            // Before the first byte can be read, because a reader decides by the length.
            core.source.show(core.machine)
            record(version, core)
        case .store(let offset, let count, let excess): return store(body, offset, count, excess, &core)
        case .save(let stored): save(stored, core)
        case .finish:
            if let refusal = inspect(&core) { return refusal }
            let total = core.machine.stored.entity.total ?? .max
            let stored = core.machine.stored
            let conditions = core.conditions ?? RequestConditions(stored.entity.validator)
            onDisk(core) { [self] file throws(SystemError) in try finish(file, stored, total: total, conditions) }
        case .discard:
            guard core.file != nil else { return nil }
            onDiskIfWritable(core) { file throws(SystemError) in try file.discard() }
            core.file = nil
            core.source.removeFile()
        case .scheduleRetry(let generation, let delay):
            core.retry?.cancel()
            core.retry = retry(generation, after: delay)
        case .checkDiskSpace(let generation, let gap): return look(generation, gap, core)
        case .followOrTakeOver:
            if let whole = wholeLocation(core) { return showWhole(whole, &core) }
            return open(&core)
        case .renewAddress(let generation): renewAddress(generation)
        }
        return nil
    }
}
