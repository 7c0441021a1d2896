// SPDX-License-Identifier: GPL-3.0-or-later

/// The cost of waiting to a listener, in seconds of plain waiting for the first audio.
struct ListenerCost {
    /// The seconds of waiting for the start that count once; later ones are multiplied by `impatient`.
    var patience = 30.0
    var impatient = 2.0
    /// A second of a stall costs about as much as two at the start (Allard, Roskuski and Claypool).
    var stalledSecond = 2.0
    /// The fixed cost of a stall, between the results of Hossfeld et al. (2011) and ITU-T P.1203.3.
    var stall = 10.0

    static let usual = ListenerCost()
    /// Alternative costs.
    static let others = [
        ListenerCost(stall: 30), ListenerCost(stall: 2.5), ListenerCost(impatient: 1),
        ListenerCost(patience: 10, impatient: 3),
    ]

    func start(_ seconds: Double) -> Double {
        min(seconds, patience) + impatient * max(0, seconds - patience)
    }

    func of(_ heard: Playthrough) -> Double {
        start(heard.startUp) + stalledSecond * heard.stalled + stall * Double(heard.stalls)
    }
}
