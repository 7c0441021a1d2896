// SPDX-License-Identifier: GPL-3.0-or-later

/// Computes the time at which each byte of a body is due, from the rates of its script. Pure.
struct FaultPacer {
    private let paces: [FaultScript.Pace]
    private var place = 0
    /// The part of the current pace that has passed.
    private var spent = Duration.zero
    private var due = Duration.zero

    init(_ script: FaultScript) {
        let steady = script.rate.map { [FaultScript.Pace(.seconds(3600), rate: $0)] } ?? []
        let paces = script.paces.isEmpty ? steady : script.paces
        // A script with only outages would never send a byte.
        self.paces = paces.contains { $0.rate > 0 && $0.time > .zero } ? paces : []
    }

    /// The largest piece to send in one call, a fiftieth of a second at the current rate; `nil`: no limit.
    var slice: Int? { paces.isEmpty ? nil : max(1, paces[place].rate / 50) }

    /// - Returns: the time at which the next byte is due, from the beginning of the body.
    mutating func due(after count: Int) -> Duration {
        var rest = Double(count)
        while rest > 0, !paces.isEmpty {
            let pace = paces[place]
            let room = pace.time - spent
            let needed = pace.rate > 0 ? Duration.seconds(rest / Double(pace.rate)) : room
            // At an extremely high rate, no bytes take measurable time.
            if pace.rate > 0, needed < .nanoseconds(1) { break }
            let step = min(needed, room)
            rest -= Double(pace.rate) * (step / .seconds(1))
            (spent, due) = (spent + step, due + step)
            if spent >= pace.time || pace.rate == 0 { (place, spent) = ((place + 1) % paces.count, .zero) }
            if rest < 0.5 { break }
        }
        return due
    }
}
