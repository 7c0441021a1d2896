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
        let run = RefreshRun(self, orders, within: time, send)
        send.onTermination = { _ in run.stop() }
        run.handle(.begun)
        return reports
    }
}
