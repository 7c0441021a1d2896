// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The order in which feeds are requested and retried. Pure: `handle` returns the actions to perform.
///
/// Hosts take turns, so that a host with a hundred podcasts does not delay the others. An order is identified by its
/// index.
struct RefreshQueue {
    enum Event: Sendable {
        case begun
        case ended(Int, FeedAttempt)
        /// The clock reached `wakeTime`.
        case tick
    }

    enum Action: Equatable {
        case start(Int)
        /// The caller answers with `ended`.
        case cancel(Int)
        case report(Int, RefreshOutcome)
    }

    struct Limits: Sendable {
        var maximumConcurrent = 24
        /// Two more than the connections that the transport opens to a host, so that they are never idle.
        var perHost = 8
        var tries = 2
        /// The pause before a retry if the server did not ask for a delay.
        var pause = Duration.seconds(1)
        /// The longest delay that is waited for within this refresh.
        var maximumRetryAfter = Duration.seconds(30)
    }

    private struct Host {
        /// The waiting orders; the last one is the next to start.
        var waiting: [Int] = []
        var underWay = 0
    }

    private let limits: Limits
    private let deadline: Duration
    /// The index of the host of each order.
    private let places: [Int]
    private var tries: [Int]
    private var hosts: [Host] = []
    /// The index of the host whose turn it is.
    private var turn = 0
    /// The hosts that asked for a pause, and its end.
    private var quiet: [Int: Duration] = [:]
    private var underWay: Set<Int> = []
    private var later: [(due: Duration, order: Int)] = []
    private var unreported: Int
    private var isLate = false

    /// - Parameter deadline: the deadline on the clock of `handle`.
    init(_ orders: [RefreshOrder], deadline: Duration, limits: Limits = Limits()) {
        self.limits = limits
        self.deadline = deadline
        unreported = orders.count
        tries = Array(repeating: 0, count: orders.count)
        var known: [String: Int] = [:]
        places = orders.map { order in
            let host = NormalizedURL(order.url).authority
            defer { known[host] = known[host] ?? known.count }
            return known[host] ?? known.count
        }
        hosts = Array(repeating: Host(), count: known.count)
        for order in orders.indices.reversed() { hosts[places[order]].waiting.append(order) }
    }

    /// True if every order has been reported.
    var isDone: Bool { unreported == 0 }

    /// The time at which a `tick` is due at the latest.
    var wakeTime: Duration? {
        guard !isDone, !isLate else { return nil }
        return (Array(quiet.values) + later.map(\.due) + [deadline]).min()
    }

    mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        var actions: [Action] = []
        if case .ended(let order, let attempt) = event, underWay.remove(order) != nil {
            hosts[places[order]].underWay -= 1
            actions += handleAttempt(order, attempt, at: now)
        }
        if now >= deadline { actions += expire() }
        resumeDue(at: now)
        while underWay.count < limits.maximumConcurrent, let order = next(at: now) {
            tries[order] += 1
            hosts[places[order]].underWay += 1
            underWay.insert(order)
            actions.append(.start(order))
        }
        unreported -= actions.count { if case .report = $0 { true } else { false } }
        return actions
    }
}

// MARK: Turns
extension RefreshQueue {
    private mutating func resumeDue(at now: Duration) {
        for order in later.filter({ $0.due <= now }).map(\.order) { hosts[places[order]].waiting.append(order) }
        later.removeAll { $0.due <= now }
        quiet = quiet.filter { $0.value > now }
    }

    private mutating func next(at now: Duration) -> Int? {
        for step in hosts.indices {
            let host = (turn + step) % hosts.count
            guard quiet[host] == nil, hosts[host].underWay < limits.perHost, let order = hosts[host].waiting.popLast()
            else { continue }
            turn = host + 1
            return order
        }
        return nil
    }
}

// MARK: Ends
extension RefreshQueue {
    private mutating func handleAttempt(_ order: Int, _ attempt: FeedAttempt, at now: Duration) -> [Action] {
        switch attempt {
        case .completed(let outcome): return [.report(order, outcome)]
        case .cancelled: return [.report(order, Self.late)]
        case .temporaryFailure(let failure, nil):
            let again = now + limits.pause
            guard tries[order] < limits.tries, again < deadline else {
                return [.report(order, .failed(failure, retryAfter: nil))]
            }
            later.append((again, order))
            return []
        case .temporaryFailure(let failure, let asked?): return wait(for: order, failure, asked, at: now)
        }
    }

    /// Pauses the whole host, not only this feed.
    private mutating func wait(
        for order: Int, _ failure: MediaFailure, _ asked: Duration, at now: Duration
    ) -> [Action] {
        let host = places[order]
        quiet[host] = max(quiet[host] ?? .zero, now + asked)
        if asked <= limits.maximumRetryAfter, now + asked < deadline {
            guard tries[order] < limits.tries else { return [.report(order, .failed(failure, retryAfter: asked))] }
            later.append((now + asked, order))
            return []
        }
        defer { hosts[host].waiting = [] }
        return ([order] + hosts[host].waiting.reversed()).map { .report($0, .failed(failure, retryAfter: asked)) }
    }

    private mutating func expire() -> [Action] {
        guard !isLate else { return [] }
        isLate = true
        let waiting = hosts.flatMap(\.waiting) + later.map(\.order)
        for host in hosts.indices { hosts[host].waiting = [] }
        later = []
        return waiting.sorted().map { .report($0, Self.late) } + underWay.sorted().map { .cancel($0) }
    }

    private static let late = RefreshOutcome.failed(
        MediaFailure(.temporary, "no answer before the refresh timed out"), retryAfter: nil)
}
