// SPDX-License-Identifier: GPL-3.0-or-later
import Measuring

/// The outcomes of every rule for every episode.
struct Study {
    private(set) var outcomes = Rules.all.map { Outcomes(name: $0.name) }
    private(set) var honesty = WaitHonesty()
    private(set) var reliability = RiskReliability()
    private(set) var firstSounds = [FirstSound(Rules.own), FirstSound(Rules.reference), FirstSound(Rules.readiest)]
    private(set) var hours = 0.0

    init(seed: UInt64, episodes: Int) {
        for (number, family) in LinkFamily.all.enumerated() {
            for rule in outcomes.indices { outcomes[rule].beginFamily() }
            for episode in 0..<episodes {
                var chance = SeededGenerator(seed: seed << 40 | UInt64(number) << 32 | UInt64(episode))
                add(Delivery(over: family, &chance))
            }
            reliability.endFamily()
        }
    }

    private mutating func add(_ delivery: Delivery) {
        hours += delivery.episode.duration / 3600
        let best = Clairvoyant(delivery).cost(.usual)
        for (number, rule) in Rules.all.enumerated() {
            let heard = Playthrough(of: delivery, by: rule)
            outcomes[number].add(heard, of: delivery, best: best)
            for index in firstSounds.indices where firstSounds[index].rule.name == rule.name {
                firstSounds[index].add(heard, of: delivery)
            }
            if rule is OwnRule {
                honesty.add(heard, of: delivery)
                reliability.add(heard, of: delivery)
            }
        }
    }
}
