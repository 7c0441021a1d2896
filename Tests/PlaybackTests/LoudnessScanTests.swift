// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import AudioProcessing
import EarshotTestSupport
import Glibc
import Media
import Synchronization
import Testing

@testable import Playback

@Suite("Measuring the loudness ahead of playback")
struct LoudnessScanTests {
    /// The loudness of the decoded samples, measured without a scan.
    private static func loudness(_ fixture: Fixture) -> LoudnessHistogram {
        var meter = LoudnessMeter(format: fixture.format)
        fixture.samples.withUnsafeBufferPointer { meter.measure($0) }
        return meter.histogram
    }

    /// The stored loudness of `Fixture.cbr`.
    private static func kept(_ loudness: LoudnessHistogram) throws -> KeptLoudness {
        KeptLoudness(loudness, of: try #require(FileFingerprint(MemoryByteSource(Fixture.cbr.bytes))))
    }

    /// Steps until the scan waits or ends; more than 10,000 steps are an error.
    private static func run(_ scan: LoudnessScan) -> LoudnessScan.Step {
        for _ in 0..<10_000 {
            let step = scan.step()
            if step != .progressed { return step }
        }
        return .progressed
    }

    @Test("A complete file gives the loudness of its samples", arguments: [Fixture.cbr, .vbr, .mono, .slow, .untagged])
    func complete(fixture: Fixture) {
        let scan = LoudnessScan(MemoryByteSource(fixture.bytes), from: .time(.zero))
        #expect(Self.run(scan) == .ended(isWhole: true))
        #expect(scan.histogram == Self.loudness(fixture))
    }

    @Test("A file that arrives in pieces gives the same loudness, and its source gets no request")
    func arriving() {
        let source = MemoryByteSource(Fixture.vbr.bytes, held: 0)
        let scan = LoudnessScan(source, from: .time(.zero))
        while source.held < source.content.count {
            #expect(Self.run(scan) == .waiting)
            source.release(more: 7000)
        }
        #expect(Self.run(scan) == .ended(isWhole: true))
        #expect(scan.histogram == Self.loudness(.vbr))
        #expect(source.needs.isEmpty)
    }

    @Test("From the middle, the part before it follows, and all frames are measured once")
    func fromMiddle() throws {
        let fixture = Fixture.cbr
        let scan = LoudnessScan(MemoryByteSource(fixture.bytes), from: .time(fixture.duration / 2))
        #expect(Self.run(scan) == .ended(isWhole: true))
        let whole = Self.loudness(fixture)
        // An incomplete step of 100 ms at the end of each part is not counted.
        #expect(whole.measuredSeconds - scan.histogram.measuredSeconds <= 0.2)
        #expect(scan.histogram.measuredSeconds <= whole.measuredSeconds)
        let (found, expected) = (try #require(scan.histogram.integrated), try #require(whole.integrated))
        #expect(abs(found - expected) <= 0.3)
    }

    @Test("A file that cannot be read to its end is not called whole")
    func lost() {
        let source = MemoryByteSource(Fixture.cbr.bytes, held: Fixture.cbr.bytes.count / 2)
        let scan = LoudnessScan(source, from: .time(.zero))
        #expect(Self.run(scan) == .waiting)
        source.close()
        #expect(Self.run(scan) == .ended(isWhole: false))
        #expect(scan.histogram.measuredSeconds > 0)
    }

    @Test("The measurer stores the loudness of a whole file, and updates the item")
    func measurer() async throws {
        let measurer = LoudnessMeasurer()
        let loudness = ItemLoudness()
        let kept = await withCheckedContinuation { continuation in
            let source = MemoryByteSource(Fixture.cbr.bytes)
            measurer.measure(
                LoudnessMeasurer.Task(source, from: .time(.zero), loudness) { continuation.resume(returning: $0) })
        }
        #expect(try kept == Self.kept(Self.loudness(.cbr)))
        measurer.stop()
    }

    @Test("An output that no listener waits for gets each item measured first, so its gain is exact")
    func measuredFirst() async throws {
        let sink = NullSink(pace: .asFastAsPossible)
        let stage = Stage(otherSink: sink)
        stage.player.send(.changeSound(SoundChanges(loudness: .target(-23))))
        let source = MemoryByteSource(Fixture.cbr.bytes, held: Fixture.cbr.bytes.count / 2)
        stage.append(source)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.player.status.item != nil })
        #expect(sink.playedFrames == 0)
        source.release()
        #expect(await eventually { stage.hasEnded })
        #expect(sink.playedFrames == Fixture.cbr.frames)
        #expect(await stage.stop())
    }

    @Test("With a measured loudness, every sample gets the same gain, and no frame is lost")
    func played() async throws {
        let stage = Stage()
        let integrated = try #require(Self.loudness(.cbr).integrated)
        stage.player.send(.changeSound(SoundChanges(loudness: .target(-23))))
        let kept = try Self.kept(Self.loudness(.cbr))
        stage.sources.loudness.withLock { $0[0] = KnownLoudness(kept: kept) }
        #expect(await stage.playOut([MemoryByteSource(Fixture.cbr.bytes)]))
        let gain = Float(amplitude(decibels: max(-12, min(12, -23 - integrated))))
        #expect(stage.sink.samples.count == Fixture.cbr.samples.count)
        let differences = zip(stage.sink.samples, Fixture.cbr.samples).map { abs($0 - $1 * gain) }
        #expect(differences.max().map { $0 < 1e-5 } == true)
        #expect(await stage.stop())
    }

    // MARK: Versions

    /// Measures a source of which an earlier measurement is known.
    /// - Returns: the loudness afterwards, and the stored measurement if it is a new one.
    private static func measured(_ source: MemoryByteSource, _ kept: KeptLoudness) async
        -> (gain: Double, isFinal: Bool, new: KeptLoudness?)
    {
        let measurer = LoudnessMeasurer()
        let new = Mutex<KeptLoudness?>(nil)
        let loudness = ItemLoudness(ItemLoudness.Knowledge(earlier: kept.histogram.integrated))
        await withCheckedContinuation { continuation in
            measurer.measure(
                LoudnessMeasurer.Task(
                    source, from: .time(.zero), loudness, kept: kept, keep: { found in new.withLock { $0 = found } },
                    onEnd: { continuation.resume() }))
        }
        measurer.stop()
        let (gain, isFinal) = loudness.gain(LoudnessNormalization(target: -16))
        return (gain, isFinal, new.withLock { $0 })
    }

    @Test("An earlier measurement of the same file is final, and the file is not measured again")
    func sameFile() async throws {
        // Five seconds of a loudness that the file does not have.
        var meter = LoudnessMeter(format: Fixture.cbr.format)
        let loud = (0..<441_000).map { $0 / 80 % 2 == 0 ? Float(0.1) : -0.1 }
        loud.withUnsafeBufferPointer { meter.measure($0) }
        let kept = try Self.kept(meter.histogram)
        let result = await Self.measured(MemoryByteSource(Fixture.cbr.bytes), kept)
        let expected = -16 - (try #require(meter.histogram.integrated))
        #expect(result.isFinal && abs(result.gain - expected) < 1e-9)
        #expect(result.new == nil)
    }

    @Test("A file of the same length with another content is measured again")
    func otherContent() async throws {
        let file = FileFingerprint(length: Int64(Fixture.cbr.bytes.count), hash: 1)
        let result = await Self.measured(
            MemoryByteSource(Fixture.cbr.bytes), KeptLoudness(LoudnessHistogram(), of: file))
        #expect(result.isFinal)
        #expect(try result.new == Self.kept(Self.loudness(.cbr)))
    }

    @Test("A new encoding of the same length has another fingerprint", arguments: [0, 0.1, 0.5, 0.9, 0.999])
    func newEncoding(from place: Double) {
        let old = Fixture.cbr.bytes
        var new = old
        for index in Int(Double(old.count) * place)..<old.count { new[index] ^= 1 }
        #expect(FileFingerprint(MemoryByteSource(new)) != FileFingerprint(MemoryByteSource(old)))
    }

    @Test("A file that is not complete has no fingerprint")
    func incompleteFile() {
        let source = MemoryByteSource(Fixture.cbr.bytes, held: Fixture.cbr.bytes.count - 1)
        #expect(FileFingerprint(source) == nil)
        source.release()
        #expect(FileFingerprint(source) == FileFingerprint(MemoryByteSource(Fixture.cbr.bytes)))
    }

    // MARK: One gain per podcast

    /// Plays two items with the samples of `Fixture.cbr` to an output that no listener waits for. They belong to a
    /// podcast that gets one gain, with the target −23.
    /// - Parameter feeds: the feeds of the items; empty if they are unknown.
    /// - Returns: the ratio of the loudest sample of each item to that of the fixture.
    private static func ratios(_ known: KnownLoudness..., feeds: [String] = []) async throws -> [Float] {
        let stage = Stage(sink: CapturingSink(isPaced: false))
        let sound = SoundSettings(loudness: LoudnessNormalization(target: -23, unit: .podcast))
        for (number, known) in known.enumerated() {
            let id = stage.sources.add(.success(MemoryByteSource(Fixture.cbr.bytes)))
            stage.sources.loudness.withLock { $0[id] = known }
            if !feeds.isEmpty { stage.sources.feeds.withLock { $0[id] = feeds[number] } }
            stage.player.send(
                .append(
                    PlaybackItem(
                        id: id, title: "", podcast: "Harbour Tales", location: "", sound: sound,
                        source: stage.sources.source(id))))
        }
        #expect(await stage.playOut())
        let (samples, played) = (Fixture.cbr.samples, stage.sink.samples)
        try #require(played.count == known.count * samples.count)
        let place = try #require(samples.indices.max { abs(samples[$0]) < abs(samples[$1]) })
        #expect(await stage.stop())
        return known.indices.map { played[$0 * samples.count + place] / samples[place] }
    }

    @Test("The measured episodes of a podcast decide on the gain of each item when it begins")
    func knownPodcast() async throws {
        let ratios = try await Self.ratios(KnownLoudness(podcast: [-20]), KnownLoudness(podcast: [-14, -20]))
        let expected = [-3.0, -6].map { Float(amplitude(decibels: $0)) }
        #expect(zip(ratios, expected).allSatisfy { abs($0 - $1) < 1e-3 })
    }

    @Test("An item keeps its gain when a later item of its podcast gets another one")
    func keptGain() {
        let (pipeline, sources) = (DecodePipeline(), MemorySources())
        for known in [KnownLoudness(), KnownLoudness(podcast: [-14])] {
            let source = MemoryByteSource(Fixture.cbr.bytes)
            let id = sources.add(.success(source))
            sources.loudness.withLock { $0[id] = known }
            let item = PlaybackItem(
                id: id, title: "", podcast: "Harbour Tales", location: "",
                sound: SoundSettings(loudness: LoudnessNormalization(target: -23, unit: .podcast)),
                source: sources.source(id))
            pipeline.open(ItemReader(item: item, source: source))
        }
        let loudness = [0, 1, 0].map { pipeline.sound(of: pipeline.items[$0], in: Fixture.cbr.format).loudness }
        #expect(loudness[0] != nil && loudness[0] === loudness[2] && loudness[0] !== loudness[1])
    }

    @Test("An item is not measured first if the gain of its podcast is final", arguments: [[], [-20]] as [[Double]])
    func finalGain(podcast: [Double]) {
        let (pipeline, sources) = (DecodePipeline(), MemorySources())
        pipeline.measuresFirst = true
        let source = MemoryByteSource(Fixture.cbr.bytes)
        let id = sources.add(.success(source))
        sources.loudness.withLock { $0[id] = KnownLoudness(podcast: podcast) }
        let item = PlaybackItem(
            id: id, title: "", podcast: "Harbour Tales", location: "",
            sound: SoundSettings(loudness: LoudnessNormalization(target: -23, unit: .podcast)),
            source: sources.source(id))
        pipeline.open(ItemReader(item: item, source: source))
        let ring = PCMRing(format: Fixture.cbr.format, capacity: 65536)
        pipeline.attach(ring)
        // The pipeline alone starts no measurement.
        var progress = pipeline.step()
        while progress == .progressed { progress = pipeline.step() }
        #expect((ring.bufferedFrames > 0) == !podcast.isEmpty)
    }

    @Test("In a podcast that was not measured, the first item decides on the gain of the next ones of the same feed")
    func unknownPodcast() async throws {
        // A square wave, which is louder than the fixture.
        var meter = LoudnessMeter(format: Fixture.cbr.format)
        let loud = (0..<441_000).map { $0 / 80 % 2 == 0 ? Float(0.9) : -0.9 }
        loud.withUnsafeBufferPointer { meter.measure($0) }
        let (first, second) = (try #require(Self.loudness(.cbr).integrated), try #require(meter.histogram.integrated))
        try #require(second > first + 2)
        let ratios = try await Self.ratios(KnownLoudness(), KnownLoudness(kept: try Self.kept(meter.histogram)))
        let expected = Float(amplitude(decibels: max(-12, -23 - first)))
        #expect(ratios.allSatisfy { abs($0 - expected) < 1e-3 })

        let others = try await Self.ratios(
            KnownLoudness(), KnownLoudness(kept: try Self.kept(meter.histogram)), feeds: ["https://a/", "https://b/"])
        let own = Float(amplitude(decibels: max(-12, -23 - second)))
        #expect(abs(others[0] - expected) < 1e-3 && abs(others[1] - own) < 1e-3)
    }
}

/// Returns 10^(dB/20).
private func amplitude(decibels: Double) -> Double { exp2(decibels / 20 * log2(10)) }
