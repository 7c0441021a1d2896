// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// Compares the result of a run with the expectation.
struct FaultChecker {
    private let mode: FaultMode
    private let format: FaultFormat
    private let result: FaultResult
    /// The deviations from the expectation; empty for a correct result.
    private(set) var complaints: [String] = []

    init(_ expectation: FaultExpectation, _ mode: FaultMode, _ format: FaultFormat, _ result: FaultResult) {
        (self.mode, self.format, self.result) = (mode, format, result)
        switch expectation.result(mode, format) {
        case .first: whole(.first, heard: [.first], note: nil)
        case .firstWith(let note):
            // On a busy machine, the server may announce the other version before anything was read.
            let mayLack = TimeLimit.factor > 1 && mode == .play && result.outcome.sentences.isEmpty
            whole(.first, heard: [.first], note: mayLack ? nil : note)
        case .second: second()
        case .damaged:
            // AAC has no checksums, only a decoder that rejects some packets; MP3 shows only a lost bit reservoir.
            let note = mode == .play && format == .opus ? "is damaged" : nil
            whole(.damaged, heard: [.damaged], note: note, mayNote: mode == .play && format != .opus)
        case .part(let status, let words): part(status, words)
        case .stump(let words): stump(words)
        case .refused(let status, let words): refused(status, words)
        case .coming: coming()
        }
        // If the client abandons an answer, the buffers of both ends may still contain sent bytes that it never read.
        demand(
            result.sentAgain <= expectation.again,
            "\(result.sentAgain) bytes sent again, at most \(expectation.again) allowed")
        demand(result.outcome.time <= expectation.limit || isComing(expectation), "the run took \(result.outcome.time)")
    }

    private func isComing(_ expectation: FaultExpectation) -> Bool {
        if case .coming = expectation.play { true } else { false }
    }

    private mutating func demand(_ holds: Bool, _ complaint: String) {
        if !holds { complaints.append(complaint) }
    }

    private mutating func whole(_ kept: FaultContent, heard: [FaultContent], note: String?, mayNote: Bool = false) {
        // The tables of MP4 state the last packet: it can be played before the server marks the end of its answer.
        let mayEndEarly = mode == .play && format == .m4a
        demand(result.kept == kept && (result.isFinished || mayEndEarly), "kept: \(result.kept)")
        // Damage in the padding of AAC is not heard.
        let isInaudible = kept == .damaged && format == .m4a && result.heard == .first
        if let sound = result.heard { demand(heard.contains(sound) || isInaudible, "heard: \(sound)") }
        demand(result.outcome.status == 0, "status \(result.outcome.status)")
        if let note {
            demand(result.outcome.sentences.contains { $0.contains(note) }, "no message contains \"\(note)\"")
        } else {
            demand(result.outcome.sentences.isEmpty || mayNote, "unexpected messages")
        }
    }

    private mutating func second() {
        demand(result.kept == .second && result.isFinished, "kept: \(result.kept)")
        switch result.heard {
        // The packets of the episode are the same in both versions, so the second may continue as the first would.
        case nil, .first, .second, .crossed: break
        case .some(let sound): demand(false, "heard: \(sound)")
        }
        demand(result.outcome.status == 0, "status \(result.outcome.status)")
        guard let heard = result.heard, heard != .second else { return }
        demand(result.outcome.sentences.contains { $0.contains("changed") }, "no message reports the new version")
    }

    private mutating func part(_ status: CInt, _ words: String) {
        switch result.kept {
        case .beginningOfFirst, .beginningOfSecond: demand(!result.isFinished, "a partial file has the final name")
        default: demand(false, "kept: \(result.kept)")
        }
        requirePlayedBeginning()
        requireMessage(status, words)
    }

    private mutating func stump(_ words: String) {
        if case .beginningOfFirst = result.kept {} else { demand(false, "kept: \(result.kept)") }
        requirePlayedBeginning()
        requireMessage(result.outcome.status, words)
    }

    private mutating func refused(_ status: CInt, _ words: String) {
        demand(result.kept == .nothing && !result.isFinished, "kept: \(result.kept)")
        if let sound = result.heard { demand(sound == .nothing, "heard: \(sound)") }
        demand(result.outcome.sentences.count == 1 && result.outcome.output == [], "more than one message")
        requireMessage(status, words)
    }

    private mutating func coming() {
        demand(result.outcome.isOverdue && result.outcome.sentences.isEmpty, "the run ended early")
        demand(result.requests.count == 1, "\(result.requests.count) requests")
        if case .beginningOfFirst = result.kept {} else { demand(false, "kept: \(result.kept)") }
    }

    private mutating func requirePlayedBeginning() {
        switch result.heard {
        case nil, .nothing, .beginningOfFirst, .first: break
        case .some(let sound): demand(false, "heard: \(sound)")
        }
    }

    /// Requires the status, and a first message within ten seconds of a timeout of ten seconds; lines of progress come
    /// each second.
    private mutating func requireMessage(_ status: CInt, _ words: String) {
        demand(result.outcome.status == status, "status \(result.outcome.status)")
        demand(result.outcome.sentences.contains { $0.contains(words) }, "no message contains \"\(words)\"")
        demand(result.told.map { $0 < TimeLimit.shortRun } ?? false, "the message came too late")
    }
}
