// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("Chapters of a track")
struct ChapterSearchTests {
    private func titles(_ list: ChapterList?) -> [String] { list?.chapters.map { $0.title ?? "-" } ?? [] }

    @Test("The chapters of an ID3v2 tag are found when all of it has arrived")
    func tag() {
        let tag = MP3Builder.chapterTag([0, 5000], titles: ["One", "Two"], end: 9000)
        let bytes = tag + DemoEpisodes.bytes(1)
        for held in stride(from: 0, to: tag.count, by: 7) {
            let reader = TrackFormat.mpeg.makeReader(MemoryByteSource(bytes, held: held))
            _ = reader.step()
            #expect(reader.findChapters() == nil)
        }
        let list = TrackFormat.mpeg.makeReader(MemoryByteSource(bytes)).findChapters()
        #expect(titles(list) == ["One", "Two"])
        #expect(list?.chapters.map(\.start) == [.zero, .seconds(5)] && list?.chapters.last?.end == .seconds(9))
        #expect(titles(TrackChapters.read(MemoryByteSource(bytes))?.list) == ["One", "Two"])
    }

    @Test("A file without a tag has no chapters")
    func none() { #expect(TrackChapters.read(MemoryByteSource(DemoEpisodes.bytes(2)))?.list == nil) }

    @Test("The duration that a file states is read with its chapters", arguments: [TrackFileCase.aac, .flacTable])
    func duration(format: TrackFileCase) throws {
        let file = try format.file()
        let found = try #require(TrackChapters.read(MemoryByteSource(file.bytes)))
        #expect(found.duration.unlessEstimated == file.duration)
    }

    @Test("A chapter track of MP4 is found with its titles, wherever the tables stand", arguments: [false, true])
    func chapterTrack(isMovieLast: Bool) {
        var builder = MP4Builder(MP4Builder.payloads(200))
        builder.chapters = [(10_000, Array("One".utf8)), (20_000, Array("Two".utf8)), (5000, Array("Three".utf8))]
        builder.isMovieFirst = !isMovieLast
        let list = TrackChapters.read(MemoryByteSource(builder.build().bytes))?.list
        #expect(titles(list) == ["One", "Two", "Three"])
        #expect(list?.chapters.map(\.start) == [.zero, .seconds(10), .seconds(30)])
    }

    @Test("The titles appear as their bytes arrive, byte by byte, and no byte is requested for them")
    func arriving() {
        var builder = MP4Builder(MP4Builder.payloads(60))
        builder.chapters = [(10_000, Array("One".utf8)), (20_000, Array("Two".utf8))]
        let bytes = builder.build().bytes
        let source = MemoryByteSource(bytes, held: 0)
        let reader = TrackFormat.container(.mp4).makeReader(source)
        var seen: [[String]] = []
        for held in 0...bytes.count {
            source.release(upTo: held)
            let found = titles(reader.findChapters())
            if seen.last != found { seen.append(found) }
        }
        #expect(seen == [[], ["-", "-"], ["One", "-"], ["One", "Two"]])
    }
}
