// SPDX-License-Identifier: GPL-3.0-or-later

/// When each byte of a body is due, by the rates of its script. Pure.
struct FaultPacer {
    private let paces: [FaultScript.Pace]
    private var place = 0
    /// How much of the present pace is used up.
    private var spent = Duration.zero
    private var due = Duration.zero

    init(_ script: FaultScript) {
        let steady = script.rate.map { [FaultScript.Pace(.seconds(3600), rate: $0)] } ?? []
        let paces = script.paces.isEmpty ? steady : script.paces
        // Outages alone would never send a byte.
        self.paces = paces.contains { $0.rate > 0 && $0.time > .zero } ? paces : []
    }

    /// What may go out in one piece, a fiftieth of a second's worth; `nil`: anything.
    var slice: Int? { paces.isEmpty ? nil : max(1, paces[place].rate / 50) }

    /// - Returns: when the next byte may go out, counted from the beginning of the body.
    mutating func due(after count: Int) -> Duration {
        var rest = Double(count)
        while rest > 0, !paces.isEmpty {
            let pace = paces[place]
            let room = pace.time - spent
            let needed = pace.rate > 0 ? Duration.seconds(rest / Double(pace.rate)) : room
            // At a rate beyond all measure nothing takes any time.
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
