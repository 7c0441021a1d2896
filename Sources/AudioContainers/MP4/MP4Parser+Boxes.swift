// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The boxes of the file, the end and damage.
extension MP4Parser {
    /// Reads the header of the box at `position`.
    mutating func readBox() throws(Interruption) {
        // A file may not occupy the parser with empty boxes.
        guard boxesLeft > 0 else { return endStream() }
        guard let box = try window.box(at: position, before: ByteWindow.farthest), box.type.isPrintable
        else { throw .damaged }
        switch box.type {
        case "moov" where walker == nil: try enterMovie(box)
        case "moov" where isFragmented: try readNextMovie(box)
        case "moof" where trackBox != nil: try enterFragment(box)
        case "sidx" where trackBox != nil && !hasNextMovie:
            try readSegmentIndex(box)
            position = box.end
        case "mdat":
            firstData = firstData ?? box.body
            position = box.end
            if isOrphaned(box) { loseFragment(box.start..<box.end) }
        default: position = box.end
        }
        boxesLeft -= 1
    }

    private mutating func enterMovie(_ box: BoxHeader) throws(Interruption) {
        guard box.bodyLength <= MovieWalker.longest else { throw .damaged }
        let isForTags = purpose == .tags
        walker = MovieWalker(
            box, coverLimit: isForTags ? Self.longestCover : Self.longestEarlyCover, readsPictures: isForTags)
        phase = .movie
    }

    private static let longestCover: Int64 = 4 << 20
    private static let longestEarlyCover: Int64 = 64 << 10

    /// Handles the end of the file before the bytes that the phase needs.
    mutating func endReached() {
        isCutOff = endsInsideFragments || hasLostFragment || phase == .samples && clock.packetFrames == nil
        switch phase {
        case .boxes where walker == nil: fail(noIndex)
        case .movie where table == nil: startWithCutMovie()
        case .movie: continueWithoutRest()
        case .predicting: readMovieInOrder()
        case .scanning:
            let end = window.fileEnd ?? position
            endWithHeldPackets()
            if lossStart < end { reportGarbage(lossStart..<end) }
            endStream()
        case .chapters: chapterWalker?.endTrack()
        case .boxes, .locating, .samples, .fragment, .fragmentSamples, .done: endStream()
        }
    }

    /// True if the file ends inside a fragment or a box after it. In other files, the tables list the missing packets.
    private var endsInsideFragments: Bool {
        guard isFragmented, let end = window.fileEnd else { return false }
        return switch phase {
        case .fragment, .fragmentSamples: true
        case .boxes: position > end
        case .movie, .locating, .predicting, .samples, .scanning, .chapters, .done: false
        }
    }

    /// Handles bytes that contradict the format.
    mutating func damageFound() {
        switch phase {
        case .boxes where walker == nil:
            fail(position == 0 ? "this is not an MP4 file" : noIndex)
        case .movie where table == nil: startWithCutMovie()
        case .movie: continueWithoutRest()
        case .predicting: readMovieInOrder()
        case .boxes, .fragment, .fragmentSamples, .scanning:
            guard isFragmented else { return endStream() }
            startScan()
        case .chapters: chapterWalker?.endTrack()
        case .locating, .samples, .done: endStream()
        }
    }

    /// Ends the stream after the last intact packet.
    mutating func endStream() {
        phase = .done
        endWithHeldPackets()
        countedEnd = lastEnd ?? countedEnd
        guard !hasReturnedPacket, !hasJumped, purpose == .packets else { return }
        fail("this MP4 file contains no complete packet")
    }

    private var noIndex: String { "the index of this MP4 file (moov) is missing, so the file is incomplete or damaged" }

    /// Returns the end of the bytes that are worth reading with a missing range: the packets that follow each other
    /// in the file, or the small boxes after a header.
    func usefulEnd(for range: ByteRange) -> Int64 {
        switch phase {
        case .samples:
            guard let table, table.position.offset == range.lowerBound else { return range.upperBound }
            return Self.contiguousEnd(after: range, table)
        case .fragmentSamples:
            guard let fragmentSamples else { return range.upperBound }
            return Self.contiguousEnd(after: range, fragmentSamples)
        case .movie where purpose == .tags: return wholeMovieEnd ?? range.lowerBound + Self.headerBlock
        case .boxes, .movie, .fragment, .predicting: return range.lowerBound + Self.headerBlock
        case .scanning: return range.lowerBound + Self.longestRead
        case .locating, .chapters, .done: return range.upperBound
        }
    }

    /// Small boxes stand close together; what a jump makes useless is at most this long.
    private static let headerBlock: Int64 = 2 << 10
    private static let longestRead: Int64 = 64 << 10

    /// The end of a `moov` that is short enough to read its tags in one piece rather than to jump between them.
    private var wholeMovieEnd: Int64? {
        walker.flatMap { $0.end - $0.start <= Self.longestWholeMovie ? $0.end : nil }
    }

    private static let longestWholeMovie: Int64 = 1 << 20

    /// Returns the end of the samples that follow each other from the start of the range on, as far as the loaded
    /// entries tell.
    private static func contiguousEnd(after range: ByteRange, _ samples: some SampleCursor) -> Int64 {
        var samples = samples
        var end = range.lowerBound
        do throws(Interruption) {
            while end - range.lowerBound < longestRead, let sample = try samples.current(in: ByteWindow()),
                sample.offset == end, sample.size > 0
            {
                samples.advance(past: sample)
                end += sample.size
            }
        } catch {
            // A table that ends here is loaded when the packets have been read up to here.
        }
        return min(end, range.lowerBound + longestRead)
    }
}
