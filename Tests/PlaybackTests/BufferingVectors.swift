// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Playback
import Testing

/// A situation and the expected decision: one line of a table that a model of the policy, written in another
/// language, produced on simulated links.
struct BufferingVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let cells: [String: String]

    static let all = read("policy.txt")
    /// The vectors of the policy's predecessor.
    static let reference = read("reference.txt")

    subscript(name: String) -> Double? { cells[name].flatMap(Double.init) }
    func text(_ name: String) -> String { cells[name] ?? "" }
    func isTrue(_ name: String) -> Bool { cells[name] == "yes" }

    private func value(_ name: String) -> Double { self[name] ?? 0 }

    var waitState: BufferingPolicy.WaitState {
        .init(
            isTrue("started") ? .rebuffer : .start, waited: .seconds(value("waited")), stalls: Int(value("stalls")))
    }

    var level: BufferLevel {
        let total = self["total"]
        let duration = self["duration"] ?? total.flatMap { total in self["byte_rate"].map { total / $0 } }
        let rate = total.flatMap { total in duration.map { total / $0 } } ?? self["byte_rate"]
            ?? (value("media") > 0 ? value("arrived") / value("media") : nil)
        return BufferLevel(
            buffered: .seconds(value("media") - value("playhead")),
            remaining: duration.map { .seconds($0 - value("playhead")) },
            missing: total.map { Int64(max(0, ($0 - value("arrived")).rounded())) }, byteRate: rate,
            preceding: Int64(max(0, value("head") - value("arrived"))), throughput: throughput, speed: value("speed"))
    }

    private var throughput: Throughput? {
        guard value("arrived") > 0 else { return nil }
        let age = max(0.1, value("now") - value("first_byte"))
        let mean = value("arrived") / age
        func recent(_ count: String, _ time: String) -> Double {
            value(time) > 0 ? (value("arrived") - value(count)) / value(time) : mean
        }
        return Throughput(
            age: .seconds(age), mean: mean, recent: recent("back5", "ago5"), long: recent("back60", "ago60"))
    }

    private static func read(_ name: String) -> [BufferingVector] {
        let folder = #filePath.split(separator: "/").dropLast(2).reduce("/") { $0 + $1 + "/" }
        guard let file = fopen(folder + "Fixtures/buffering/" + name, "r") else {
            preconditionFailure("no fixture \(name)")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let names = lines[0].dropFirst()
        return lines.dropFirst().enumerated().map { number, cells in
            BufferingVector(
                testDescription: "line \(number + 2)", cells: Dictionary(uniqueKeysWithValues: zip(names, cells)))
        }
    }
}
