// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Containers: jumps")
struct ContainerJumpTests {
    /// Returns the packets of a jump in the records of the linear parse; `nil` if they differ. A Vorbis packet that
    /// only prepares the decoder has no frames.
    private static func place(of jumped: [Record], in linear: [Record]) -> Int? {
        guard let first = jumped.first?.packet, let frame = first.frame else { return nil }
        let place = linear.firstIndex { record in
            guard let packet = record.packet, record.payload == jumped[0].payload else { return false }
            return packet.offset == first.offset
                && (packet.frame ?? 0) + Int64(packet.frames) == frame + Int64(first.frames)
        }
        guard let place else { return nil }
        let rest = linear[(place + 1)...].prefix(jumped.count - 1)
        return zip(jumped.dropFirst(), rest).allSatisfy { $0.event == $1.event && $0.payload == $1.payload }
            && rest.count == jumped.count - 1 ? place : nil
    }

    private static func packets(_ records: [Record]) -> [Record] { records.filter { $0.packet != nil } }

    @Test(
        "A parser synchronizes at any offset to packets with their exact numbers",
        arguments: ContainerCase.all.filter { $0.kind != .adts })
    func synchronize(row: ContainerCase) throws {
        var run = ContainerRun(row.bytes, row.parser())
        run.run()
        let linear = Self.packets(run.records)
        for offset in stride(from: 0, to: row.bytes.count, by: max(1, row.bytes.count / 150)) {
            run.parser.synchronize(from: Int64(offset))
            run.run(packets: 30)
            let found = Self.packets(run.records)
            // Nothing is skipped but the packet or page around the offset.
            let next = linear.firstIndex { ($0.packet?.offset ?? 0) >= Int64(offset) } ?? linear.count
            // The table of a fragment stands before its packets.
            let first = row.isFragmented ? min(linear.count, next + FragmentBuilder([]).packetsPerFragment) : next
            guard !found.isEmpty else {
                #expect(first == linear.count, "nothing after offset \(offset)")
                continue
            }
            let place = Self.place(of: found, in: linear)
            #expect(try #require(place, "offset \(offset): \(found[0].event)") <= first, "offset \(offset)")
        }
    }

    @Test(
        "A new parser reads the headers before it synchronizes",
        arguments: ContainerCase.all.filter { $0.kind != .adts })
    func synchronizeFirst(row: ContainerCase) {
        let linear = Self.packets(row.entries())
        guard !row.testDescription.contains("chained"), !row.testDescription.contains("two FLAC") else { return }
        for offset in stride(from: 0, to: row.bytes.count * 9 / 10, by: max(1, row.bytes.count / 20)) {
            var run = ContainerRun(row.bytes, row.parser())
            run.parser.synchronize(from: Int64(offset))
            run.run(packets: 10)
            #expect(run.records.tracks.count >= 1)
            let found = Self.packets(run.records)
            if !found.isEmpty { #expect(Self.place(of: found, in: linear) != nil, "offset \(offset)") }
        }
    }

    @Test("A parser resumes at the point of each packet, and returns its frames", arguments: ContainerCase.all)
    func resume(row: ContainerCase) throws {
        var run = ContainerRun(row.bytes, row.parser())
        run.run()
        let linear = Self.packets(run.records)
        for (number, record) in linear.enumerated() where number % 3 != 1 {
            let point = try #require(record.point)
            run.parser.resume(at: point)
            run.run(packets: 12)
            let found = Self.packets(run.records)
            let place = try #require(Self.place(of: found, in: linear), "packet \(number)")
            // A Vorbis packet needs the one before it.
            #expect(number - 1...number ~= place, "packet \(number)")
            #expect(found.contains { $0.event == record.event } || record.packet?.frames == 0)
            #expect(found.first?.packet?.frame == record.packet?.frame)
        }
    }
}
