// SPDX-License-Identifier: GPL-3.0-or-later

/// What waiting costs a listener, in seconds of plain waiting for the first sound.
struct ListenerCost {
    /// Seconds for which the start is waited for with patience; what comes after costs `impatient`.
    var patience = 30.0
    var impatient = 2.0
    /// A second without sound in the middle costs about two at the start (Allard, Roskuski and Claypool).
    var stalledSecond = 2.0
    /// That there is one at all: between what Hossfeld et al. (2011) and ITU-T P.1203.3 find.
    var stall = 10.0

    static let usual = ListenerCost()
    /// How else it might be.
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
