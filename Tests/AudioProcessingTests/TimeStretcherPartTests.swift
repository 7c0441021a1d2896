// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioProcessing

@Suite("Time stretcher: parts")
struct TimeStretcherPartTests {
    @Test("The estimator finds the period", arguments: [(8000, 67), (44_100, 200), (44_100, 441), (96_000, 777)])
    func pitch(sampleRate: Int, period: Int) {
        var estimator = PitchEstimator(sampleRate: sampleRate)
        let voice = StretchMaterial.vowel(estimator.window, period: period)

        let found = voice.withUnsafeBufferPointer { estimator.period(of: $0.baseAddress!) }
        #expect(found == period)
    }

    @Test("Of equally good periods the estimator returns the shortest")
    func silence() {
        var estimator = PitchEstimator(sampleRate: 44_100)
        let silence = [Float](repeating: 0, count: estimator.window)

        let found = silence.withUnsafeBufferPointer { estimator.period(of: $0.baseAddress!) }
        #expect(found == 110)
    }

    @Test("The period before does not change the period that is found", arguments: [8000, 11_025, 44_100, 96_000])
    func independent(sampleRate: Int) {
        var used = PitchEstimator(sampleRate: sampleRate)
        for period in stride(from: used.periods.lowerBound, through: used.periods.upperBound, by: 7) {
            var new = PitchEstimator(sampleRate: sampleRate)
            let voice = StretchMaterial.vowel(used.window, period: period)
            let found = voice.withUnsafeBufferPointer {
                [new.period(of: $0.baseAddress!), used.period(of: $0.baseAddress!)]
            }
            #expect(found[0] == found[1])
        }
    }

    @Test("The detector finds bursts and leaves time around them")
    func bursts() throws {
        var detector = TransientDetector(sampleRate: 8000)

        detector.examine(StretchMaterial.bursts(4000, at: [1005, 2500], sampleRate: 8000))
        detector.removeZones(before: 500)

        #expect(detector.zones.count == 2)
        #expect(detector.zones.first?.contains(1005) == true && detector.zones.first?.contains(1036) == true)
        #expect(detector.zones.last?.contains(2500) == true && detector.zones.last?.contains(2531) == true)
    }

    @Test("The pulses of a low voice are not transients")
    func pulses() {
        var detector = TransientDetector(sampleRate: 8000)

        detector.examine(StretchMaterial.vowel(8000, period: 110))
        detector.removeZones(before: 200)

        #expect(detector.zones == [])
    }

    /// Returns the zones in a sound whose high frequencies have this level, on frames of 2 ms.
    private func zones(in levels: [Float]) -> [Range<Int>] {
        var detector = TransientDetector(sampleRate: 8000)
        let samples = levels.indices.map { levels[$0] * ($0 % 2 == 0 ? 1 : -1) }
        detector.examine(samples)
        detector.removeZones(before: 500)
        return detector.zones
    }

    private func burst(at start: Int, energy: Float) -> [Float] {
        var levels = [Float](repeating: 0.01, count: 2000)
        for index in start..<(start + 48) { levels[index] *= energy.squareRoot() }
        return levels
    }

    @Test("An onset is found wherever it begins in a frame, if it is 30 times as strong as before", arguments: 0..<16)
    func onset(offset: Int) throws {
        let found = zones(in: burst(at: 1600 + offset, energy: 40))
        #expect(found.count == 1)
        #expect(try #require(found.first).lowerBound <= 1600 + offset - 8)
        #expect(zones(in: burst(at: 1600 + offset, energy: 22)).isEmpty)
    }

    @Test("Sound that returns to its mean level after a short silence is not a transient")
    func returning() {
        var levels = [Float](repeating: 0.01, count: 12_000)
        for index in 11_200..<11_600 { levels[index] = 0.0001 }
        #expect(zones(in: levels).isEmpty)
    }

    @Test("A splice drops or repeats one period, and more than one rather than fade in less than 2.5 ms")
    func splices() {
        func splice(_ speed: Double, _ period: Int, debt: Double) -> Splice {
            SpeedControl(speed: speed, sampleRate: 8000).splice(period: period, debt: debt)
        }

        #expect(splice(1.5, 60, debt: 0) == Splice(start: 0, target: 60, fade: 60))
        #expect(splice(2, 60, debt: 0) == Splice(start: 0, target: 60, fade: 60))
        #expect(splice(3, 60, debt: 0) == Splice(start: 0, target: 60, fade: 30))
        #expect(splice(2, 60, debt: 64) == Splice(start: 0, target: 60, fade: 20))
        #expect(splice(3, 20, debt: 0) == Splice(start: 0, target: 40, fade: 20))
        #expect(splice(0.5, 60, debt: 0) == Splice(start: 60, target: 0, fade: 60))
        #expect(splice(0.5, 60, debt: 64) == Splice(start: 60, target: 0, fade: 20))
    }

    @Test("A splice fits before a transient with a shorter fade, or not at all")
    func fitting() {
        let splice = Splice(start: 0, target: 60, fade: 60)

        #expect(splice.fitting(120, shortestFade: 20) == splice)
        #expect(splice.fitting(90, shortestFade: 20) == Splice(start: 0, target: 60, fade: 30))
        #expect(splice.fitting(79, shortestFade: 20) == nil)
    }

    @Test("Copies raise the debt, and the feedback asks for as many as the debt allows")
    func debt() {
        var control = SpeedControl(speed: 1.5, sampleRate: 8000)

        control.count(consumed: 120, produced: 60)

        #expect(control.debt == -20)
        #expect(control.copyLength(forDebt: -20) == 60)
        #expect(control.copyLength(forDebt: -1000) == 160)
        #expect(control.excess(after: 60) == 0)
    }
}

extension TransientDetector {
    fileprivate mutating func examine(_ samples: [Float]) {
        var mono = MonoMix(channels: 1, history: history)
        samples.withUnsafeBufferPointer { mono.append($0) }
        mono.withSamples { process($0, count: mono.frames, from: 0) }
    }
}

@Suite("Time stretcher: mono mix")
struct MonoMixTests {
    @Test("The mix keeps the frames that are not removed, and silence or the removed ones before them")
    func queue() {
        var mono = MonoMix(channels: 2, history: 2)
        var mixed: [Float] = [0, 0]
        for part in 0..<200 {
            let pairs = (0..<(part % 37)).flatMap { [Float(part), Float($0)] }
            pairs.withUnsafeBufferPointer { mono.append($0) }
            mixed += (0..<(part % 37)).map { Float(part) + Float($0) / 2 }
            let removed = mono.frames / 3
            mono.removeFirst(removed)
            mixed.removeFirst(removed)
            let kept = mono.withSamples { Array(UnsafeBufferPointer(start: $0 - 2, count: mono.frames + 2)) }
            #expect(kept == mixed)
        }
        mono.removeAll()
        #expect(mono.frames == 0)
        let history = mono.withSamples { [$0[-2], $0[-1]] }
        #expect(history == [0, 0])
    }

    @Test("Channels of opposite polarity do not cancel", arguments: [1, 2, 6])
    func channels(count: Int) {
        var mono = MonoMix(channels: count, history: 0)
        let frame: [Float] = [1] + Array(repeating: -1, count: count - 1)
        (0..<9).flatMap { _ in frame }.withUnsafeBufferPointer { mono.append($0) }
        let mixed = mono.withSamples { Array(UnsafeBufferPointer(start: $0, count: mono.frames)) }
        #expect(mixed == Array(repeating: 1 - Float(count - 1) / 2, count: 9))
    }
}
