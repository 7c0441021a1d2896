// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("DownloadStateMachine under random events")
struct DownloadStateMachineFuzzTests {
    typealias Machine = DownloadStateMachine

    @Test("Random events never trap, store only within the length, and leave every state an exit", arguments: 0..<300)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var machine = Machine(claimedLength: seed % 3 == 0 ? 1_000_000 : nil)
        var now = Duration.zero
        for _ in 0..<300 {
            now += .milliseconds(Int.random(in: 0...3000, using: &generator))
            let event = Self.event(machine, now, &generator)
            let actions = machine.handle(event)
            for action in actions {
                guard case .store(let offset, let count, let excess) = action else { continue }
                #expect(offset >= 0 && count >= 0 && excess >= 0)
                #expect(
                    offset + Int64(count) <= machine.stored.entity.total ?? machine.expectedLength.maximumUndeclared)
            }
            #expect(Self.hasExit(machine))
            if case .receiving = machine.state {} else { #expect(machine.jump == nil) }
        }
    }

    /// Returns true if a normal event leaves the current state; a state without such an event would be a hang.
    private static func hasExit(_ machine: Machine) -> Bool {
        var next = machine
        let time = Duration.seconds(1_000_000)
        switch machine.state {
        case .idle, .failed, .following: _ = next.handle(.started(StoredContent()))
        case .connecting, .receiving:
            _ = next.handle(.transferEnded(machine.generation, .failed(.tls("a")), at: time, jitter: 0))
        case .held: _ = next.handle(.diskSpaceChecked(machine.generation, isThere: true))
        case .backingOff: _ = next.handle(.retryDeadlinePassed(machine.generation))
        case .complete, .unverified: return true
        }
        return next.state != machine.state
    }

    private static func event(
        _ machine: Machine, _ now: Duration, _ generator: inout SeededGenerator
    ) -> Machine.Event {
        let isStale = Int.random(in: 0..<10, using: &generator) == 0
        let isOfJump = Int.random(in: 0..<3, using: &generator) == 0
        let current = isOfJump ? machine.jump?.number ?? machine.generation : machine.generation
        let number = isStale ? current - 1 : current
        let jitter = Double.random(in: 0..<1, using: &generator)
        let count = [0, 1, 100, 70_000, 5_000_000].randomElement(using: &generator) ?? 1
        switch Int.random(in: 0..<24, using: &generator) {
        case 0: return .started(stored(&generator))
        case 1...3: return .headReceived(number, head(machine, &generator), at: now, jitter: jitter)
        case 4...6: return .bodyReceived(number, count: count, foreign: nil, at: now, jitter: jitter)
        case 7...8:
            guard case .receiving(let transfer, let incoming) = machine.state, incoming.versionToBegin == nil else {
                return .retryDeadlinePassed(number)
            }
            let room = (transfer.content.entity.total ?? machine.expectedLength.maximumUndeclared) - incoming.offset
            return .bytesStored(number, count: min(count, Int(room)), excess: count % 3, at: now)
        case 9: return Bool.random(using: &generator) ? .bytesDiffered(number) : .beginningRepeated(number)
        case 10: return .transferEnded(number, outcome(&generator), at: now, jitter: jitter)
        case 11: return .retryDeadlinePassed(number)
        case 12:
            let page = MediaFailure(.badData, "a page")
            return .bodyReceived(number, count: count, foreign: page, at: now, jitter: jitter)
        case 13...15:
            let limit: Int64? = [nil, 2000, 2_000_000_000].randomElement(using: &generator) ?? nil
            return .needed(from: Int64.random(in: -5...12_000_000, using: &generator), limit: limit)
        case 16: return .diskFull(reason: "full")
        case 17: return .diskSpaceChecked(number, isThere: Bool.random(using: &generator))
        case 18: return .lengthExpected([nil, -1, 150_000, 20_000_000].randomElement(using: &generator) ?? nil)
        case 19:
            let noise = MediaFailure(.badData, "noise")
            let all: [Machine.Event] = [.endMissing(.mark), .endMissing(.length), .contentRefused(noise)]
            return all.randomElement(using: &generator) ?? .stopped
        case 20: return .followed(stored(&generator), at: now)
        case 22: return .bytesLost([0..<Int64.random(in: 1...100_000, using: &generator)])
        case 21: return .finishedElsewhere(stored(&generator))
        default: return Bool.random(using: &generator) ? .stopped : .storageFailed(MediaFailure(.inputOutput, "disk"))
        }
    }

    private static func stored(_ generator: inout SeededGenerator) -> StoredContent {
        let end = Int64.random(in: 0...200_000, using: &generator)
        let total = Bool.random(using: &generator) ? end + Int64.random(in: 0...9, using: &generator) : nil
        return StoredContent(entity: Representation(total: total == 0 ? nil : total), extents: ByteRangeSet([0..<end]))
    }

    private static func head(_ machine: Machine, _ generator: inout SeededGenerator) -> ResponseHead {
        let status = [200, 200, 206, 206, 206, 404, 416, 500, 503].randomElement(using: &generator) ?? 200
        let total = [0, 1, 200_000, 10_000_000, 1 << 49].randomElement(using: &generator) ?? 1
        var fields: HeaderFields = [:]
        if Bool.random(using: &generator) { fields.append("content-length", "\(total)") }
        if Bool.random(using: &generator) { fields.append("etag", "\"\(total % 3)\"") }
        var offset: Int64 = 0
        if case .connecting(_, let ask) = machine.state { offset = ask.offset }
        if let jump = machine.jump { offset = jump.ask.offset }
        if status == 206 { fields.append("content-range", "bytes \(offset)-\(offset + 99_999)/\(offset + 100_000)") }
        if status == 416 { fields.append("content-range", "bytes */\(total)") }
        return ResponseHead(status: status, fields: fields, finalURL: "http://a/b")
    }

    private static func outcome(_ generator: inout SeededGenerator) -> TransferOutcome {
        let all: [TransferOutcome] = [
            .complete, .complete, .refused, .cancelled, .failed(.timedOut(.receiving)), .failed(.tooManyRedirects),
            .failed(.connectionLost(received: 5, reason: "reset")), .failed(.unknownHost("a")),
        ]
        return all.randomElement(using: &generator) ?? .complete
    }
}
