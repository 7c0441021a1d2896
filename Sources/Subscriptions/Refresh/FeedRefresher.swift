// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer

/// A refresher that requests many feeds concurrently and parses each while it arrives.
///
/// The refresher needs a separate transport, so that playback and downloads do not wait for feeds.
public struct FeedRefresher: Sendable {
    let transport: any HTTPTransport
    let clock: any Clock<Duration>
    let limits: RefreshQueue.Limits
    let makeSink: @Sendable (RefreshOrder) -> any FeedSink

    /// - Parameter makeSink: called for each feed that arrives, on the thread that parses it; called again for an
    ///   order that is retried.
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

    /// Refreshes the feeds.
    /// - Parameter time: the timeout; an order that has not ended by then fails.
    /// - Returns: one report for each order, in the order in which they end. If the consumer stops iterating, the
    ///   running orders are cancelled and their sinks are notified.
    public func refresh(_ orders: [RefreshOrder], within time: Duration) -> AsyncStream<RefreshReport> {
        let (reports, send) = AsyncStream.makeStream(of: RefreshReport.self)
        let run = RefreshRun(self, orders, within: time, send)
        send.onTermination = { _ in run.stop() }
        run.handle(.begun)
        return reports
    }
}
