// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Feeds

@Suite("RFC822Date")
struct RFC822DateTests {
    @Test(
        "A date is parsed in many formats",
        arguments: [
            // RFC 822, section 5, with four-digit years
            ("Thu, 29 Feb 2024 18:30:00 +0100", "2024-02-29T17:30:00Z"),
            ("Thu, 29 Feb 2024 18:30 GMT", "2024-02-29T18:30:00Z"),
            ("29 Feb 2024 18:30:00 UT", "2024-02-29T18:30:00Z"),
            ("Thu, 29 Feb 24 18:30:00 Z", "2024-02-29T18:30:00Z"),
            ("Mon, 1 Jul 1996 06:00:00 EDT", "1996-07-01T10:00:00Z"),
            ("Mon, 01 Jul 96 06:00:00 PST", "1996-07-01T14:00:00Z"),
            ("Sun, 31 Dec 69 23:59:60 GMT", "2070-01-01T00:00:00Z"),
            ("Thu, 01 Jan 70 00:00:01 GMT", "1970-01-01T00:00:01Z"),
            ("Tue, 31 Dec 2024 23:30:00 -0100", "2025-01-01T00:30:00Z"),
            ("Tue, 31 Dec 2024 23:30:00 +05:30", "2024-12-31T18:00:00Z"),
            // variants by publishers
            ("Thursday, 29 February 2024 18:30:00 GMT+0200", "2024-02-29T16:30:00Z"),
            ("Thu 29 Feb 2024 18:30:00 CEST", "2024-02-29T16:30:00Z"),
            ("Fri, 6 Sept 2024 1:02:03 +0000", "2024-09-06T01:02:03Z"),
            ("February 29, 2024 6:30 PM", "2024-02-29T18:30:00Z"),
            ("Thu, 29 Feb 2024 18.30.05 GMT", "2024-02-29T18:30:05Z"), ("29.02.2024 18.30", "2024-02-29T18:30:00Z"),
            ("Thu, 29 Feb 2024 18 -0500", "2024-02-29T23:00:00Z"), ("29.02.2024 -0500", "2024-02-29T05:00:00Z"),
            ("2024-02-29 00:00:00.0 18:30:05.0 +0100", "2024-02-29T17:30:05Z"),
            ("29-Feb-2024", "2024-02-29T00:00:00Z"),
            ("Thu Feb 29 18:30:00 2024", "2024-02-29T18:30:00Z"),
            ("  Thu, 29 Feb 2024 18:30:00 XYZ ", "2024-02-29T18:30:00Z"),
            // RFC 3339 and ISO 8601
            ("2024-02-29T18:30:00Z", "2024-02-29T18:30:00Z"),
            ("2024-02-29T18:30:00.1234567+01:00", "2024-02-29T17:30:00Z"),
            ("2024-02-29 18:30:00 -0500", "2024-02-29T23:30:00Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"), ("2024-02-29T18", "2024-02-29T18:00:00Z"),
            ("2024-02-29T18Z", "2024-02-29T18:00:00Z"), ("2024-02-29T18+01:00", "2024-02-29T17:00:00Z"),
            ("20240229T183000Z", "2024-02-29T18:30:00Z"),
            ("2024/02/29 18:30", "2024-02-29T18:30:00Z"),
        ])
    func reads(_ text: String, _ expected: String) {
        #expect(RFC822Date.parse(text.utf8)?.description == expected)
    }

    @Test(
        "Month names are parsed in several languages",
        arguments: [
            ("Jan", 1), ("January", 1), ("FEB", 2), ("february", 2), ("Mar", 3), ("march", 3), ("Apr", 4), ("april", 4),
            ("May", 5), ("Jun", 6), ("june", 6), ("Jul", 7), ("July", 7), ("Aug", 8), ("august", 8), ("Sep", 9),
            ("Sept", 9), ("Sept.", 9), ("September", 9), ("Oct", 10), ("october", 10), ("Nov", 11), ("Nov.", 11),
            ("november", 11), ("Dec", 12), ("december", 12),
            // German
            ("Januar", 1), ("Jänner", 1), ("Februar", 2), ("März", 3), ("MÄRZ", 3), ("Maerz", 3), ("Mai", 5),
            ("Juni", 6),
            ("Juli", 7), ("Okt", 10), ("Oktober", 10), ("Dez", 12), ("Dezember", 12),
            // French
            ("janvier", 1), ("janv.", 1), ("février", 2), ("févr.", 2), ("mars", 3), ("avril", 4), ("avr.", 4),
            ("juin", 6),
            ("juillet", 7), ("juil.", 7), ("août", 8), ("septembre", 9), ("octobre", 10), ("novembre", 11),
            ("décembre", 12), ("déc.", 12),
            // Spanish, Italian, Portuguese
            ("enero", 1), ("ene.", 1), ("febrero", 2), ("marzo", 3), ("abril", 4), ("mayo", 5), ("junio", 6),
            ("julio", 7),
            ("agosto", 8), ("ago", 8), ("septiembre", 9), ("setiembre", 9), ("octubre", 10), ("noviembre", 11),
            ("diciembre", 12), ("dic", 12), ("gennaio", 1), ("gen", 1), ("febbraio", 2), ("aprile", 4), ("maggio", 5),
            ("mag", 5), ("giugno", 6), ("luglio", 7), ("lug", 7), ("settembre", 9), ("set", 9), ("ottobre", 10),
            ("dicembre", 12), ("janeiro", 1), ("fevereiro", 2), ("março", 3), ("maio", 5), ("junho", 6), ("julho", 7),
            ("setembro", 9), ("outubro", 10), ("out", 10), ("dezembro", 12),
            // Dutch, Danish, Russian
            ("januari", 1), ("maart", 3), ("mrt", 3), ("mei", 5), ("augustus", 8), ("maj", 5), ("января", 1),
            ("фев", 2),
            ("марта", 3), ("апреля", 4), ("мая", 5), ("июня", 6), ("июля", 7), ("АВГУСТА", 8), ("сентября", 9),
            ("окт", 10),
            ("ноября", 11), ("декабря", 12),
        ])
    func months(_ name: String, _ month: Int) {
        let expected = "2024-\(month < 10 ? "0" : "")\(month)-05T18:30:00Z"
        #expect(RFC822Date.parse("Mon, 05 \(name) 2024 18:30:00 GMT".utf8)?.description == expected)
        #expect(RFC822Date.parse("5 \(name) 2024, 18:30".utf8)?.description == expected)
        #expect(RFC822Date.parse("\(name) 5, 2024 18:30:00 +0000".utf8)?.description == expected)
    }

    @Test(
        "Time zones are parsed to hours east of UTC",
        arguments: [
            ("GMT", 0), ("UT", 0), ("UTC", 0), ("Z", 0), ("z", 0), ("+0000", 0), ("-0000", 0), ("WET", 0), ("WEST", 1),
            ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5), ("MST", -7), ("MDT", -6), ("PST", -8), ("PDT", -7),
            ("pdt", -7), ("AKST", -9), ("AKDT", -8), ("HST", -10), ("AST", -4), ("ADT", -3), ("NST", -3.5),
            ("NDT", -2.5),
            ("CET", 1), ("CEST", 2), ("MET", 1), ("MEST", 2), ("MEZ", 1), ("MESZ", 2), ("BST", 1), ("EET", 2),
            ("EEST", 3),
            ("MSK", 3), ("MSD", 4), ("TRT", 3), ("SAST", 2), ("WAT", 1), ("EAT", 3), ("GST", 4), ("PKT", 5),
            ("IST", 5.5),
            ("NPT", 5.75), ("ICT", 7), ("WIB", 7), ("HKT", 8), ("SGT", 8), ("PHT", 8), ("AWST", 8), ("JST", 9),
            ("KST", 9),
            ("ACST", 9.5), ("ACDT", 10.5), ("AEST", 10), ("AEDT", 11), ("NZST", 12), ("NZDT", 13), ("BRT", -3),
            ("ART", -3),
            ("CLT", -4), ("COT", -5), ("ET", -5), ("CT", -6), ("MT", -7), ("PT", -8), ("AT", -4),
            // Military letters are ambiguous, because many writers use the wrong sign: RFC 5322, section 4.3
            ("A", 0), ("M", 0), ("N", 0), ("Y", 0),
            ("+0100", 1), ("-0500", -5), ("+01:00", 1), ("-05:30", -5.5), ("+1", 1), ("-5", -5), ("+100", 1),
            ("+530", 5.5),
            ("+05", 5), ("GMT+2", 2), ("GMT-0500", -5), ("UTC+01:00", 1), ("GMT+0200 (CEST)", 2), ("-0500 (EST)", -5),
            ("+0100 (CET)", 1), ("(PST)", -8), ("\u{2212}0500", -5), ("+0200 BST", 2), ("XYZ", 0), ("Europe/Berlin", 0),
            ("+9900", 0), ("+0175", 0), ("local time", 0), ("", 0),
        ])
    func zones(_ zone: String, _ hours: Double) {
        let expected = UTCTime(year: 2024, month: 2, day: 29, hour: 18, minute: 30)
            .map { UTCTime(secondsSince1970: $0.secondsSince1970 - Int64(hours * 3_600)) }
        #expect(RFC822Date.parse("Thu, 29 Feb 2024 18:30:00 \(zone)".utf8) == expected)
        #expect(RFC822Date.parse("2024-02-29 18:30:00\(zone.hasPrefix("+") ? "" : " ")\(zone)".utf8) == expected)
        #expect(RFC822Date.parse("29 Feb 24 18:30 \(zone)".utf8) == expected)
    }

    @Test(
        "A calendar date is parsed in any form",
        arguments: [
            "Thu, 29 Feb 2024", "Thu 29 Feb 2024", "Thursday, 29 February 2024", "Thurs, 29 Feb 2024", "29 Feb 2024",
            "29 Feb 24", "29-Feb-2024", "29-Feb-24", "29/Feb/2024", "29.Feb.2024", "Feb 29 2024", "Feb 29, 2024",
            "February 29th, 2024", "29th of February 2024", "2024 Feb 29", "2024-Feb-29", "2024-02-29", "2024/02/29",
            "2024.02.29", "2024-2-29", "2024/2/29", "20240229", "2024-060", "02/29/2024", "2/29/2024", "02/29/24",
            "29/02/2024",
            "29/2/24", "29.02.2024", "29.2.2024", "29-02-2024", "02-29-2024", "29. Februar 2024", "29 février 2024",
            "2024. február 29.", "Πέμ, 29 Φεβ 2024", "29 Φεβρουαρίου 2024", "jeu. 29 févr. 2024",
            "29 de febrero de 2024", "29 февраля 2024 г.", "2024年02月29日", "29 Feb 124",
            "Thu,29 Feb 2024",
            "  Thu,  29  Feb  2024  ", "Feb. 29, 2024", "'29 Feb 2024'", "Wed, 29 Feb 2024",
        ])
    func days(_ day: String) {
        #expect(RFC822Date.parse(day.utf8)?.description == "2024-02-29T00:00:00Z")
        #expect(RFC822Date.parse("\(day) 18:30:05".utf8)?.description == "2024-02-29T18:30:05Z")
    }

    @Test(
        "A time of day is parsed in any form",
        arguments: [
            ("18:30:00", "18:30:00"), ("18:30", "18:30:00"), ("6:30 PM", "18:30:00"), ("6:30PM", "18:30:00"),
            ("06:30:00 pm", "18:30:00"), ("6:30 p.m.", "18:30:00"), ("6:30 a.m.", "06:30:00"), ("6 PM", "18:00:00"),
            ("12:30 AM", "00:30:00"), ("12:30 PM", "12:30:00"), ("18:30 PM", "18:30:00"), ("1:2:3", "01:02:03"),
            ("18:30:00.5", "18:30:00"), ("18:30:00.123456789", "18:30:00"), ("18:30:00,123", "18:30:00"),
            ("18:30:00:123", "18:30:00"), ("18h30", "18:30:00"), ("at 18:30", "18:30:00"),
            ("오후 6:30", "18:30:00"), ("오전 6:30", "06:30:00"), ("下午6:30", "18:30:00"),
            ("um 18:30 Uhr", "18:30:00"),
            ("18:30:00 GMT and so on", "18:30:00"), ("18:30:00 GMT 123456789", "18:30:00"), ("00:00:00", "00:00:00"),
            ("23:59:59", "23:59:59"),
        ])
    func clock(_ clock: String, _ expected: String) {
        #expect(RFC822Date.parse("Thu, 29 Feb 2024 \(clock)".utf8)?.description == "2024-02-29T\(expected)Z")
        #expect(RFC822Date.parse("2024-02-29 \(clock)".utf8)?.description == "2024-02-29T\(expected)Z")
    }

    @Test(
        "ISO 8601 dates and the W3C profile are parsed",
        arguments: [
            ("2024", "2024-01-01T00:00:00Z"), ("2024-02", "2024-02-01T00:00:00Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"),
            ("2024-02-29T18:30Z", "2024-02-29T18:30:00Z"), ("2024-02-29T18:30+01:00", "2024-02-29T17:30:00Z"),
            ("2024-02-29t18:30:00z", "2024-02-29T18:30:00Z"), ("2024-02-29T18:30:00.000Z", "2024-02-29T18:30:00Z"),
            ("2024-02-29T18:30:00-0800", "2024-03-01T02:30:00Z"), ("2024-02-29T24:00:00Z", "2024-03-01T00:00:00Z"),
            ("2024-12-31T24:00Z", "2025-01-01T00:00:00Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("20240229T1830Z", "2024-02-29T18:30:00Z"), ("20240229T183005+0100", "2024-02-29T17:30:05Z"),
            ("20240229 183005", "2024-02-29T18:30:05Z"), ("20240229183005", "2024-02-29T18:30:05Z"),
            ("2024-060T18:30:00Z", "2024-02-29T18:30:00Z"), ("2023-365", "2023-12-31T00:00:00Z"),
            ("2024-02-29T18:30:00 +00:00", "2024-02-29T18:30:00Z"), ("2024-02-29T18:30:00+00", "2024-02-29T18:30:00Z"),
            ("Thu Feb 29 18:30:00 CET 2024", "2024-02-29T17:30:00Z"),
            ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        ])
    func iso(_ text: String, _ expected: String) {
        #expect(RFC822Date.parse(text.utf8)?.description == expected)
    }

    @Test(
        "A two-digit year is between 1970 and 2069",
        arguments: [(0, 2000), (24, 2024), (69, 2069), (70, 1970), (99, 1999)])
    func shortYears(_ year: Int, _ expected: Int) {
        let text = "Thu, 29 Jan \(year < 10 ? "0" : "")\(year) 18:30:00 GMT"
        #expect(RFC822Date.parse(text.utf8)?.description == "\(expected)-01-29T18:30:00Z")
    }

    @Test(
        "Invalid text produces no date",
        arguments: [
            "", " ", "yesterday", "0000-00-00 00:00:00", "Thu, 30 Feb 2024 18:30:00 GMT", "1709231400",
            "Thu, 29 Feb 2024 25:30:00 GMT", "2023-02-29", "Feb 2024", "99999999999999999999", "0001-01-01T00:00:00Z",
            "2024-13-01", "29 Feb 2024 18:99", "2024-366-1", "2024-W09-4", "2024-W09", "2024-02-29T25", "2023-366",
            "2024-000", "31 Apr 2024", "in 2024",
            "Season 2 2024",
            "Thu, 29 Feb", "18:30:00", "29", "29 2024", "2024-02-30", "00/00/0000", "1/2", "13:00 AM PM",
            "today at 5 PM",
            "{{ date }}", "null", "NaN-NaN-NaN", "Invalid Date", "----", "::", "+0100", "Feb Feb Feb",
        ])
    func refuses(_ text: String) {
        #expect(RFC822Date.parse(text.utf8) == nil)
    }

    @Test("Random times of four centuries are parsed back unchanged")
    func roundTrips() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let seconds = Int64(random.next() % 12_000_000_000)
            let time = UTCTime(secondsSince1970: seconds)
            #expect(RFC822Date.parse(time.description.utf8) == time)
        }
    }
}
