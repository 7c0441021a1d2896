// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@testable import CodecTestSupport

/// The formats whose packets are compared.
private enum ComparedFormat: String, CaseIterable, Sendable {
    case aac, adts, opus, vorbis, flac

    func versions() throws -> EpisodeVersions {
        switch self {
        case .aac: try .aac()
        case .adts: try .adts()
        case .opus: try .opus()
        case .vorbis: try .vorbis()
        case .flac: try .flac()
        }
    }
}

@Suite("An episode in a container that changes on the server", .timeLimit(.minutes(TimeLimit.factor)))
struct ContainerVersionTests {
    /// Plays the available bytes of a file, then its replacement.
    private func play(
        _ bytes: [UInt8], held: Int, then other: [UInt8], from start: TimeTarget? = nil,
        introduction: Duration? = nil
    ) async throws -> (samples: [Float], changes: [VersionMapping]) {
        let source = MemoryByteSource(bytes, held: held)
        source.replace(by: MemoryByteSource(other))
        let stage = Stage(options: Player.Options(outputRate: .file))
        stage.append(source, from: start, introduction: introduction, isResumed: introduction != nil)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.hasEnded })
        let changes = stage.events.compactMap { event in
            if case .versionChanged(_, _, let mapping, _) = event { mapping } else { nil }
        }
        #expect(await stage.stop())
        return (stage.sink.samples, changes)
    }

    @Test("Playback continues with the next sample of the content", arguments: ComparedFormat.allCases)
    fileprivate func sameWord(format: ComparedFormat) async throws {
        let versions = try format.versions()
        for (old, new) in [(versions.first, versions.second), (versions.second, versions.first)] {
            let (heard, changes) = try await play(old.bytes, held: old.bytes.count * 2 / 3, then: new.bytes)
            #expect(changes == [.word])
            let wanted = old.parts[0].samples
            #expect(heard.count == wanted.count && old.accuracy.accepts(heard, wanted[...]))
        }
    }

    /// A start in the middle of ADTS is estimated.
    private static let numbered: [ComparedFormat] = [.aac, .opus, .vorbis, .flac]

    @Test("After a start in the middle too, playback continues with the next sample", arguments: numbered)
    fileprivate func startedInTheMiddle(format: ComparedFormat) async throws {
        let versions = try format.versions()
        let old = versions.second
        let start = old.duration * 0.5
        let held = old.bytes.count * 3 / 4
        let (heard, changes) = try await play(
            old.bytes, held: held, then: versions.first.bytes, from: .time(start))
        #expect(changes == [.word])
        let wanted = old.parts[0].samples[Int(old.parts[0].format.frames(in: start))...]
        #expect(heard.count == wanted.count && old.accuracy.accepts(heard, wanted))
    }

    @Test("A change before the header is complete keeps the start", arguments: numbered, [8, 60, 600])
    fileprivate func startedBeforeHeader(format: ComparedFormat, held: Int) async throws {
        let versions = try format.versions()
        let new = versions.first
        let start = new.duration * 0.5
        let (heard, changes) = try await play(
            versions.second.bytes, held: held, then: new.bytes, from: .time(start))
        #expect(changes.count == 1)
        let wanted = new.parts[0].samples[Int(new.parts[0].format.frames(in: start))...]
        #expect(heard.count == wanted.count && new.accuracy.accepts(heard, wanted))
    }

    @Test("A change from MP3 before a place in it is chosen keeps the start", arguments: [8, 300, 2000])
    func startedInMP3(held: Int) async throws {
        let new = try EpisodeVersions.flac().first
        let start = new.duration * 0.5
        let (heard, changes) = try await play(
            Fixture.untagged.bytes, held: held, then: new.bytes, from: .time(start))
        #expect(changes == [.time])
        let wanted = new.parts[0].samples[Int(new.parts[0].format.frames(in: start))...]
        #expect(identical(heard, Array(wanted)))
    }

    /// Formats whose header does not state the duration.
    private static let unstated: [ComparedFormat] = [.opus, .vorbis]
    /// A length that contains the header and no complete page after it.
    private static let header = 5000

    @Test("A change before the duration is known keeps a start at a part of it", arguments: unstated)
    fileprivate func startedAtPart(format: ComparedFormat) async throws {
        let versions = try format.versions()
        let new = versions.first
        let (heard, changes) = try await play(
            versions.second.bytes, held: Self.header, then: new.bytes, from: .fraction(0.5))
        #expect(changes == [.time])
        let wanted = new.parts[0].samples[Int(new.parts[0].format.frames(in: new.duration * 0.5))...]
        #expect(heard.count == wanted.count && new.accuracy.accepts(heard, wanted))
    }

    @Test("A change to MP3 before the duration is known keeps a start at a part of it", arguments: unstated)
    fileprivate func startedAtPartOfMP3(format: ComparedFormat) async throws {
        let new = Fixture.cbr
        let (heard, changes) = try await play(
            try format.versions().second.bytes, held: Self.header, then: new.bytes, from: .fraction(0.5))
        #expect(changes == [.time])
        #expect(abs(heard.count - new.samples(from: new.frames / 2).count) <= new.format.channels)
        #expect(identical(heard, Array(new.samples.suffix(heard.count))))
    }

    @Test(
        "A change before the first packet plays an introduction of more than a third of the new version",
        arguments: unstated, [8, header])
    fileprivate func longIntroduction(format: ComparedFormat, held: Int) async throws {
        let versions = try format.versions()
        let new = versions.first
        let half = new.duration * 0.5
        let (heard, changes) = try await play(
            versions.second.bytes, held: held, then: new.bytes, from: .time(half), introduction: half)
        #expect(changes.count == 1)
        let wanted = new.parts[0].samples
        #expect(heard.count == wanted.count && new.accuracy.accepts(heard, wanted[...]))
    }

    @Test("A version in another codec continues at the same time")
    func otherCodec() async throws {
        let (old, new) = (try EpisodeVersions.flac().first, try EpisodeVersions.adts().first)
        let (heard, changes) = try await play(old.bytes, held: old.bytes.count / 2, then: new.bytes)
        #expect(changes == [.time])
        #expect(abs(heard.count - new.parts[0].samples.count) <= 1024)
    }
}
