// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Testing

@Suite("Playback rates of a StreamingSource")
struct StreamingRateTests {
    /// Returns a stream of a linear ramp, on which every interpolated value is known.
    private func ramp(_ frames: Int64) throws -> OfflineStream {
        try OfflineStream(NumberReader(frames: frames) { frame, _ in Float(frame) })
    }

    @Test("Output frames are one rate apart, and their number fits the length",
        arguments: [0.25, 0.3, 0.5, 0.999, 1, 1.25, 2, 3.7, 4])
    func places(rate: Double) throws {
        let stream = try ramp(10_000)
        try stream.source.setRate(rate)
        let heard = stream.pull(50_000, slice: 700)
        #expect(heard.count == Int((10_000 / rate).rounded(.up)))
        for (index, sample) in heard.enumerated() {
            let place = Double(index) * rate
            guard place >= 1, place < 9998 else { continue }
            #expect(abs(Double(sample) - place) < 0.002)
        }
        #expect(stream.streamEvents == [.finished])
    }

    @Test("At integer rates the output has the file's own frames, in loops and backward too", arguments: [2, 4])
    func wholeSteps(rate: Int) throws {
        let stream = try OfflineStream(NumberReader(frames: 10_000))
        try stream.source.setRate(Double(rate))
        try stream.source.setLoop(StreamLoop(from: 1000, to: 2001))
        var path = NaivePath(frames: 10_000)
        path.loop = (1000, 2001, nil, false)
        let tape = path.next(20_000)
        let heard = stream.pull(5000)
        #expect(heard == stride(from: 0, to: 5000 * rate, by: rate).map { tape[$0] })
        let back = try OfflineStream(NumberReader(frames: 10_000))
        try back.source.setRate(Double(rate))
        let there = back.pull(2000)
        back.source.setDirection(.backward)
        #expect(back.pull(2000) == there.reversed())
    }

    @Test("A turn at any rate returns over the played frames", arguments: [0.25, 0.7, 1.3, 3.9])
    func turn(rate: Double) throws {
        let stream = try ramp(100_000)
        try stream.source.seek(to: 1000)
        try stream.source.setRate(rate)
        let there = stream.pull(3000, slice: 441)
        stream.source.setDirection(.backward)
        let back = stream.pull(2990, slice: 441)
        for (one, other) in zip(back, there.reversed()) { #expect(abs(one - other) < 0.01) }
        stream.source.setDirection(.forward)
        for (one, other) in zip(stream.pull(2900), back.reversed()) { #expect(abs(one - other) < 0.01) }
    }

    @Test("The rate changes from one output frame to the next, and rate 1 is bit-exact again")
    func changes() throws {
        let stream = try ramp(100_000)
        var heard = stream.pull(100)
        for rate in [0.3, 1.7, 3.3] {
            try stream.source.setRate(rate)
            let more = stream.pull(1000)
            for (one, other) in zip(more, more.dropFirst()) { #expect(abs(Double(other - one) - rate) < 0.02) }
            #expect(abs((more.first ?? 0) - (heard.last ?? 0)) < 4)
            heard = more
        }
        try stream.source.setRate(1)
        let exact = stream.pull(1000)
        #expect(exact.allSatisfy { $0 == $0.rounded() })
        #expect(zip(exact, exact.dropFirst()).allSatisfy { $1 - $0 == 1 })
    }

    @Test("At the end of the available frames a fractional position waits and continues without a step")
    func edge() throws {
        let control = NumberReader.Control(arrived: 1000)
        let stream = try OfflineStream(
            NumberReader(frames: 3000, length: .unknown, control: control) { frame, _ in Float(frame) })
        try stream.source.setRate(0.6)
        var heard = stream.pull(5000)
        control.arrived = 3000
        heard += stream.pull(5000)
        #expect(heard.count == 5000)
        for (index, sample) in heard.enumerated().dropFirst(2).dropLast(5) {
            #expect(abs(sample - Float(index) * 0.6) < 0.01)
        }
    }
}
