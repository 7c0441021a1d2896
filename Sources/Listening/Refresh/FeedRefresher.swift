// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer

/// Asks many feeds for news at once and parses each while it arrives.
///
/// It wants a transport of its own: what is played or downloaded must not queue behind feeds.
public struct FeedRefresher: Sendable {
    let transport: any HTTPTransport
    let clock: any Clock<Duration>
    let limits: RefreshQueue.Limits
    let makeSink: @Sendable (RefreshOrder) -> any FeedSink

    /// - Parameter makeSink: called for each feed that comes, on the thread that reads it; again for an order that is
    ///   tried again.
    public init(
        transport: any HTTPTransport, clock: any Clock<Duration> = ContinuousClock(),
        makeSink: @escaping @Sendable (RefreshOrder) -> any FeedSink
    ) {
        self.init(transport: transport, clock: clock, limits: RefreshQueue.Limits(), makeSink: makeSink)
    }

    init(
        transport: any HTTPTransport, clock: any Clock<Duration>, limits: RefreshQueue.Limits,
        makeSink: @escaping @Sendable (RefreshOrder) -> any FeedSink
    ) {
        self.transport = transport
        self.clock = clock
        self.limits = limits
        self.makeSink = makeSink
    }

    /// - Parameter time: what is not done by then has failed.
    /// - Returns: one report for each order, as they end. Whoever stops listening stops what is still under way; its
    ///   sinks are told.
    public func refresh(_ orders: [RefreshOrder], within time: Duration) -> AsyncStream<RefreshReport> {
        let (reports, send) = AsyncStream.makeStream(of: RefreshReport.self)
        let task = Task {
            var run = RefreshRun(self, orders, within: time) { send.yield($0) }
            await run.run()
            send.finish()
        }
        send.onTermination = { _ in task.cancel() }
        return reports
    }
}

/// One refresh: does what its queue decides.
private struct RefreshRun {
    private let refresher: FeedRefresher
    private let orders: [RefreshOrder]
    private let report: (RefreshReport) -> Void
    private let elapsed: () -> Duration
    private let room = ReadingRoom()
    private let events: AsyncStream<RefreshQueue.Event>
    private let tell: AsyncStream<RefreshQueue.Event>.Continuation
    private var queue: RefreshQueue
    private var intakes: [Int: FeedIntake] = [:]
    private var alarm: (time: Duration, task: Task<Void, Never>)?

    init(
        _ refresher: FeedRefresher, _ orders: [RefreshOrder], within time: Duration,
        report: @escaping (RefreshReport) -> Void
    ) {
        self.refresher = refresher
        self.orders = orders
        self.report = report
        elapsed = Self.stopwatch(refresher.clock)
        (events, tell) = AsyncStream.makeStream()
        queue = RefreshQueue(orders, deadline: time, limits: refresher.limits)
    }

    mutating func run() async {
        tell.yield(.begun)
        for await event in events {
            for action in queue.handle(event, at: elapsed()) { perform(action) }
            if queue.isDone { break }
            setAlarm()
        }
        alarm?.task.cancel()
        for intake in intakes.values { intake.cancel() }
    }

    private mutating func perform(_ action: RefreshQueue.Action) {
        switch action {
        case .start(let order): start(order)
        case .cancel(let order): intakes[order]?.cancel()
        case .report(let order, let outcome):
            intakes[order] = nil
            report(RefreshReport(order: orders[order], outcome: outcome))
        }
    }

    private mutating func start(_ order: Int) {
        let intake = FeedIntake(
            orders[order], transport: refresher.transport, room: room, makeSink: refresher.makeSink
        ) { [tell] in tell.yield(.ended(order, $0)) }
        intakes[order] = intake
        intake.ask(orders[order].request)
    }

    private mutating func setAlarm() {
        guard alarm?.time != queue.wakeTime else { return }
        alarm?.task.cancel()
        alarm = queue.wakeTime.map { time in
            let rest = time - elapsed()
            let (clock, tell) = (refresher.clock, tell)
            return (time, Task { if (try? await clock.sleep(for: rest)) != nil { tell.yield(.tick) } })
        }
    }

    private static func stopwatch<C: Clock>(_ clock: C) -> () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
