// SPDX-License-Identifier: GPL-3.0-or-later

/// The words in dates: months and time zones.
enum DateWords {
    /// - Parameter word: `Feb`, in any case.
    static func englishMonth(_ word: UnsafeBufferPointer<UInt8>) -> Int? {
        let months: [StaticString] = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        return months.firstIndex { ASCII.equalsIgnoringCase(word, $0) }.map { $0 + 1 }
    }

    /// Returns the month for a name or its beginning, of three letters or more.
    ///
    /// - Parameter word: in lower case.
    static func month(_ word: String) -> Int? {
        guard word.unicodeScalars.count >= 3 else { return nil }
        return months.first { $0.name.hasPrefix(word) }?.number
    }

    /// Returns the seconds east of UTC. Military letters count as UTC, because half of their users have the sign
    /// wrong (RFC 5322, 4.3).
    ///
    /// - Parameter word: in lower case.
    static func zone(_ word: String) -> Int? {
        zones[word].map { Int($0 * 3_600) }
    }

    private static let months: [(name: String, number: Int)] = [western, eastern].flatMap { names in
        names.enumerated().flatMap { index, names in names.split(separator: " ").map { (String($0), index + 1) } }
    }

    /// English first; then the differing names in German, French, Spanish, Italian, Portuguese, Dutch, the
    /// Scandinavian languages and Russian.
    private static let western = [
        "january januar januari janvier janeiro jänner enero gennaio ene января январь",
        "february februar februari février fevrier fevereiro febrero febbraio feber февраля февраль",
        "march märz maerz mars marzo março marco maart mrt марта март",
        "april avril abril aprile апреля апрель",
        "may mai mayo maggio maio mei maj мая май",
        "june juni juin junio giugno junho июня июнь",
        "july juli juillet julio luglio julho июля июль",
        "august août aout agosto augustus augusti августа август",
        "september septembre septiembre setiembre settembre setembro сентября сентябрь",
        "october oktober octobre octubre ottobre outubro октября октябрь",
        "november novembre noviembre novembro ноября ноябрь",
        "december dezember décembre decembre diciembre dicembre dezembro desember декабря декабрь",
    ]
    /// Hungarian and Greek.
    private static let eastern = [
        "január ιανουάριος ιανουαρίου", "február φεβρουάριος φεβρουαρίου", "március μάρτιος μαρτίου",
        "április απρίλιος απριλίου", "május μάιος μαΐου", "június ιούνιος ιουνίου", "július ιούλιος ιουλίου",
        "augusztus αύγουστος αυγούστου", "szeptember σεπτέμβριος σεπτεμβρίου", "október οκτώβριος οκτωβρίου",
        "νοέμβριος νοεμβρίου", "δεκέμβριος δεκεμβρίου",
    ]

    /// Hours east of UTC: the zones of RFC 822, and others that publishers use.
    private static let zones: [String: Double] = {
        var zones: [String: Double] = ["ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 1, "azot": -1]
        let hours: [(Double, String)] = [
            (-12, "bit"), (-11, "sst nut"), (-10, "hst hast tah ckt"), (-9, "akst hadt gamt"), (-8, "pst pt akdt"),
            (-7, "mst mt pdt"), (-6, "cst ct mdt galt"), (-5, "est et cdt cot pet ect"),
            (-4, "ast at edt bot vet clt pyt amt"),
            (-3.5, "nst"), (-3, "adt brt art uyt clst gft pyst"), (-2.5, "ndt"), (-2, "brst fnt uyst pmdt"),
            (-1, "cvt egt"),
            (1, "cet met mez bst wat dft mewt swt"), (2, "cest mest mesz eet cat sast hece haec"),
            (3, "eest msk eat trt fet arast idt mesk"), (3.5, "irst"), (4, "msd gst samt mut ret azt get"),
            (4.5, "irdt aft"),
            (5, "pkt uzt yekt tjt tmt mvt"), (5.5, "ist slst"), (5.75, "npt"), (6, "bdt omst btt kgt yekst"),
            (6.5, "mmt cct"),
            (7, "ict wib krat novt hovt cxt"), (8, "hkt sgt awst myt pht wita irkt ulat"), (8.75, "acwst"),
            (9, "jst kst wit yakt tlt"), (9.5, "acst"), (10, "aest chst vlat pgt"), (10.5, "acdt lhst"),
            (11, "aedt sbt vut nct magt sakt"), (12, "nzst fjt pett anat"), (12.75, "chast"), (13, "nzdt tot phot"),
            (14, "lint"),
        ]
        for (offset, names) in hours { for name in names.split(separator: " ") { zones[String(name)] = offset } }
        return zones
    }()
}
