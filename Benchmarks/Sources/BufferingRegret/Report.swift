// SPDX-License-Identifier: GPL-3.0-or-later

/// The results of the study, as text.
struct Report {
    let study: Study
    private var own: Outcomes { study.outcomes[0] }
    private var reference: Outcomes { study.outcomes[1] }

    func tell() {
        for part in [opening, rules, against, families, waits, risks, firstSounds] { print(part + "\n") }
        print("skipped: \(LinkFamily.skipped.joined(separator: "; ")) (logs of real links are not part of the project)")
    }

    private var opening: String {
        """
        Rules of buffering on simulated links: \(own.families.joined().count) episodes over \(own.families.count) \
        families of links, \(study.hours.text(0)) hours of sound.
        The cost to a listener is in seconds: the start-up time (counted twice after 30 s) + 2 x the time of stalls \
        + 10 x the number of stalls.
        Regret is the cost above that of the best possible start and stalls, with the arrival of each byte known in \
        advance; that cost is \(own.mean(\.best).text()) on average.
        """
    }

    private var rules: String {
        var table = TextTable("rule", "regret", "start-up, median", "95 %", "stalls/h", "without a stall")
        for rule in study.outcomes {
            table.add(
                rule.name, rule.mean(\.regret).text(), rule.startUps.quantile(0.5).text() + " s",
                rule.startUps.quantile(0.95).text(0) + " s", rule.stallsPerHour.text(2),
                rule.mean { $0.stalls == 0 ? 1 : 0 }.percent())
        }
        return table.description
    }

    private var against: String {
        let (mean, margin) = own.excess(over: reference)
        return "\(own.name) minus \(reference.name): \(mean.text(2)) ± \(margin.text(2)) (95 %)"
    }

    private var families: String {
        var table = TextTable("family", "best possible", own.name, reference.name, "best of the others")
        for (number, family) in LinkFamily.all.enumerated() {
            let others = study.outcomes.dropFirst(2).map { ($0.mean(inFamily: number, of: \.regret), $0.name) }
            guard let other = others.min(by: { $0.0 < $1.0 }) else { continue }
            table.add(
                family.name, own.mean(inFamily: number, of: \.best).text(),
                own.mean(inFamily: number, of: \.regret).text(), reference.mean(inFamily: number, of: \.regret).text(),
                other.1 + " " + other.0.text())
        }
        return table.description
    }

    private var waits: String {
        let honesty = study.honesty
        var table = TextTable(
            "displayed wait", "ticks", "unknown", "right (2 s or 20 %)", "too low (> 2 x + 5 s)")
        for (name, tally) in [
            ("at every tick", honesty.all), ("of first starts", honesty.starts), ("of stalls", honesty.stalls),
            ("2 s into each wait", honesty.early),
        ] {
            table.add(
                name, String(tally.ticks), tally.unknownShare.percent(1), tally.rightShare.percent(1),
                tally.lowShare.percent(2))
        }
        return table.description
    }

    private var risks: String {
        let whole = study.reliability.bins.reduce(0) { $0 + $1.weight }
        var table = TextTable("risk of a stall", "predicted", "observed", "of all audio")
        for bin in study.reliability.bins where bin.weight > 0 {
            table.add(
                "\(bin.range.lowerBound.percent()) ...", (bin.said / bin.weight).percent(),
                (bin.observed / bin.weight).percent(), (bin.weight / whole).percent())
        }
        return table.description
    }

    private var firstSounds: String {
        var table = TextTable(
            "links of at least 4 x the bit rate", "episodes", "immediate", "late, mean", "95 %", "longest", "stalls")
        for first in study.firstSounds {
            let late = first.lateness.sorted()
            table.add(
                first.rule.name, String(late.count), first.atOnce.percent(), late.mean.text(2) + " s",
                late.quantile(0.95).text() + " s", late.quantile(1).text() + " s", String(first.stalls))
        }
        return table.description
    }
}
