// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport
@testable import Playback

@Suite("Playback of all formats")
struct AllFormatsTests {
    /// The formats whose files have one PCM format, each twice in a mixed order.
    private static let groups: [[TrackFileCase]] = [
        [
            .aac, .aacLast, .adts, .opus, .shortOpus, .longOpus, .opusInMP4, .vorbis, .flac, .flacTable, .oggFLAC,
            .flacInMP4,
        ],
        [.heAAC, .heADTS, .aacFragments], [.wave, .rf64, .wave64, .aiff],
    ].map { group in group + group.reversed() }

    @Test("A playlist of all formats, each twice, loses and adds no sample", arguments: groups)
    func gapless(group: [TrackFileCase]) async throws {
        let files = try group.map { try $0.shortFile() }
        let stage = Stage(options: Player.Options(outputRate: .file))

        #expect(await stage.playOut(files.map { MemoryByteSource($0.bytes) }))

        let (own, output) = (files[0].parts[0].format, try #require(stage.sink.format))
        #expect(output.sampleRate == own.sampleRate)
        // The first items are played before the channels of all items are known: mono is then played on both.
        let copies = output.channels / own.channels
        let wanted = files.flatMap { $0.parts.flatMap(\.samples) }.flatMap { repeatElement($0, count: copies) }
        #expect(stage.sink.samples.count == wanted.count)
        #expect(identical(stage.sink.samples, wanted))
        #expect(await stage.stop())
    }

    @Test("Files that arrive in pieces play without a lost sample", arguments: [TrackFileCase.aac, .opus, .flac])
    func arriving(format: TrackFileCase) async throws {
        let file = try format.file()
        let source = MemoryByteSource(file.bytes, held: 3000)
        let stage = Stage(options: Player.Options(outputRate: .file))
        stage.append(source)
        stage.player.send(.closePlaylist)
        while source.held < file.bytes.count {
            let reads = source.unavailableReads
            #expect(await eventually { source.unavailableReads > reads })
            source.release(more: file.bytes.count / 7)
        }
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, file.parts[0].samples))
        #expect(await stage.stop())
    }

    @Test("The last position of a file whose middle is missing stays an estimate")
    func estimatedEnd() throws {
        let file = try TrackFileCase.adts.file()
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 8, bytesPerSecond: 1000)
        source.release(file.bytes.count / 3..<file.bytes.count)
        let stage = LoopStage()
        stage.append(source, from: .time(file.duration * 0.6))
        stage.say(.closePlaylist)

        #expect(stage.playOut())
        stage.say(.setVolume(0.5))

        let status = stage.loop.mailbox.status
        #expect(status.positionIsEstimated && status.volume == 0.5)
        #expect(status.duration == .estimated(status.duration.value ?? .zero))
    }

    @Test("The target of a seek from an estimated position counts from the same packet, also before its sound plays")
    func estimatedSeek() throws {
        let file = try TrackFileCase.adts.file()
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 8, bytesPerSecond: 1000)
        source.release(file.bytes.count / 3..<file.bytes.count)
        let stage = LoopStage()
        stage.append(source, from: .time(file.duration * 0.6))
        stage.play(5000)
        let anchor = try #require(stage.loop.mailbox.status.anchor)

        stage.say(.pause)
        stage.say(.seek(.relative(.milliseconds(300))))
        let target = stage.loop.mailbox.status
        stage.say(.seek(.absolute(.time(file.duration * 0.7))))
        let chosen = stage.loop.mailbox.status

        #expect(target.isSeeking && target.anchor == anchor)
        #expect(chosen.isSeeking && chosen.anchor == nil)
    }

    @Test(
        "A start at 75 % plays the exact samples before the bytes in between have arrived",
        arguments: [TrackFileCase.aac, .opusInMP4, .opus, .vorbis, .flacTable])
    func deepStart(format: TrackFileCase) throws {
        let file = try format.file()
        let source = MemoryByteSource(file.bytes, held: 20_000, bytesPerSecond: 1000)
        let stage = LoopStage(options: Player.Options(outputRate: .file))
        stage.append(source, from: .time(file.duration * 0.75))
        stage.say(.closePlaylist)
        for _ in 0..<100 {
            stage.play(20_000 - Int(stage.sink.frames))
            if stage.sink.frames == 20_000 { break }
            repeat { stage.work() } while stage.loop.steer(.notYetAvailable)
            let need = try #require(source.needs.last)
            let start = Int(source.downloadProgress.extents.contiguousEnd(from: need))
            source.release(start..<start + 30_000)
        }
        let place = Int(file.place(at: file.duration * 0.75))
        let samples = stage.sink.samples
        #expect(stage.sink.frames == 20_000)
        let wanted = file.parts[0].samples[place..<place + samples.count]
        #expect(difference(samples, wanted) <= 1e-5)
        // A target is reached by reading on if it is near.
        let isFar = format != .opus && format != .vorbis
        let arrived = source.downloadProgress.extents.ranges.reduce(0) { $0 + $1.count }
        #expect(!isFar || arrived < file.bytes.count * 4 / 5, "\(arrived) of \(file.bytes.count)")
    }

    @Test("A new version of an m4a file with other tables continues with the next packet")
    func versions() async throws {
        let file = try TrackFileCase.aac.file()
        // The same packets with other tables.
        let successor = MemoryByteSource(try TrackFileCase.aacLast.file().bytes)
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 2)
        source.replace(by: successor)
        let stage = Stage(options: Player.Options(outputRate: .file))
        stage.append(source)
        stage.player.send(.closePlaylist)

        #expect(await eventually { stage.hasEnded })

        #expect(stage.events.contains { if case .versionChanged(_, _, .word, _) = $0 { true } else { false } })
        #expect(stage.sink.samples.count == file.parts[0].samples.count)
        #expect(difference(stage.sink.samples, file.parts[0].samples) <= 1e-6)
        #expect(await stage.stop())
    }
}

extension TrackFile {
    /// Returns the frame at a time in the first part.
    fileprivate func place(at time: Duration) -> Int64 { parts[0].format.frames(in: time) }
}
