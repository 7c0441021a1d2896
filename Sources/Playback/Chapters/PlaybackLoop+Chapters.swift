// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Media
import TrackReading

/// The chapters of the items.
extension PlaybackLoop {
    /// The chapters of the displayed item.
    var displayedChapters: ItemChapters? { displayed.flatMap { books[$0.id]?.chapters } }

    /// The hidden chapters of the displayed item that are left out.
    var skippedSpans: [Range<Duration>] { displayed.map { skippedSpans(of: $0, audio.item(of: $0.id)) } ?? [] }

    /// The hidden chapters of the displayed item that are left out, and the one whose rest plays.
    var hiddenSpans: [Range<Duration>] { displayed.map { hiddenSpans(of: $0, audio.item(of: $0.id)) } ?? [] }

    /// Returns the hidden chapters of an item that are left out: none while its times are estimates, and not the one
    /// whose rest plays.
    private func skippedSpans(of item: PlaybackItem, _ open: OpenItem?) -> [Range<Duration>] {
        hiddenSpans(of: item, open).filter { open?.plays($0) != true }
    }

    private func hiddenSpans(of item: PlaybackItem, _ open: OpenItem?) -> [Range<Duration>] {
        guard item.skipsHiddenChapters, open?.reader.correction.isUnknown != true else { return [] }
        return books[item.id]?.chapters?.hidden ?? []
    }

    /// Determines the chapters of the open items, and announces those being played.
    func followChapters() {
        let displayed = displayed
        books = books.filter { id, _ in id == displayed?.id || audio.item(of: id) != nil }
        for open in audio.items {
            var facts = ChapterBook.Facts()
            facts.lists = (open.reader.findChapters().map { [$0] } ?? []) + (open.item.source?.chapterLists() ?? [])
            facts.duration = open.reader.timeline?.duration ?? .unknown
            facts.claimedDuration = open.item.claimedDuration
            facts.moves = open.moves
            books[open.item.id, default: ChapterBook()].update(facts)
        }
        guard let item = current?.item, item.id == displayed?.id else { return }
        // No chapter plays after the end of the item, or before a seek lands.
        let isPlayed = openCurrent != nil && seeks.pending == nil
        let events = announcer.events(item, displayedChapters, at: isPlayed ? position : nil)
        if !events.isEmpty { publishPosition() }
        for event in events { emit(event) }
    }

    func seek(toChapter choice: ChapterChoice) {
        followDevice()
        followChapters()
        guard let target = displayedChapters?.target(of: choice, from: positionOrStart ?? .zero) else {
            return announceNoEffect(of: .chapter(choice))
        }
        seek(to: .absolute(.time(target)))
    }
}

/// Chapters in frames of the ring.
extension PlaybackLoop {
    /// The item that a chapter's end stops: the current one, or the first one opened.
    private var countedItem: OpenItem? { current == nil ? audio.items.first : openCurrent }

    /// The position in `countedItem`, and the ends of the chapters inside it.
    var chapterEnds: ChapterEnds? {
        guard let open = countedItem, let format = audio.ring?.format else { return nil }
        return chapterEnds(of: open, format)
    }

    private func chapterEnds(of open: OpenItem, _ format: AudioFormat) -> ChapterEnds? {
        guard let numbering = open.numbering else { return nil }
        let target = seeks.pending.flatMap { _ in open.item.id == displayed?.id ? position : nil }
        let start = frame(at: target ?? open.reader.requestedTime, in: open, format)
        let cuts = PlaybackEdits(cuts: cuts(in: open, format))
        let chapters = books[open.item.id]?.ends(skipsHidden: !cuts.cuts.isEmpty) ?? []
        var ends = ChapterEnds(
            numbering: numbering, shift: open.frames.shift, start: start + format.frames(in: ChapterEnds.tolerance),
            position: start,
            frames: chapters.map { cuts.start(frame(at: $0, in: open, format)) })
        guard let place = output.timeline.position(at: sink.playedFrames),
            let played = ends.frame(place.sourceFrame, in: place.numbering)
        else { return ends }
        ends.position = played
        // The item did not start in a later version.
        if numbering.version > 0 { ends.start = played }
        return ends
    }

    /// Returns the number of chapters inside an item that end after the position last counted.
    func chapterEndsLeft(of generation: UInt32) -> Int {
        guard let open = audio.item(generation: generation), let format = audio.ring?.format else { return 0 }
        guard let ends = chapterEnds(of: open, format) else { return 0 }
        return sleep.countdown?.uncounted(ends).count ?? 0
    }

    /// Returns the source frame of a time.
    private func frame(at time: Duration, in open: OpenItem, _ format: AudioFormat) -> Int64 {
        format.frames(in: time - open.reader.correction.time)
    }

    /// Sets the frames that are not played: those after the sleep timer's end, and those of hidden chapters.
    func updateEdits() {
        guard let writer = audio.writer, machine.phase != .outputLost else { return }
        let format = writer.ring.format
        var edits = formerEdits(writer)
        for open in audio.items {
            let cuts = cuts(in: open, format)
            if !cuts.isEmpty, let numbering = open.numbering { edits[numbering] = PlaybackEdits(cuts: cuts) }
        }
        if let ends = chapterEnds, let hold = sleep.countdown?.hold(ends) {
            edits[ends.numbering, default: PlaybackEdits()].hold = hold
        }
        let place = output.timeline.position(at: sink.playedFrames)
        if writer.setEdits(edits, after: place) { processAgain() }
    }

    /// Returns the hidden chapters in the frames of earlier versions, some of which may still wait.
    private func formerEdits(_ writer: RingWriter) -> [FrameNumbering: PlaybackEdits] {
        let former = writer.edits.filter { numbering, edits in
            guard !edits.cuts.isEmpty, let open = audio.item(generation: numbering.generation) else { return false }
            return open.numbering != numbering
        }
        return former.mapValues { PlaybackEdits(cuts: $0.cuts) }
    }

    /// Returns the source frames of the hidden chapters that are left out.
    private func cuts(in open: OpenItem, _ format: AudioFormat) -> [Range<Int64>] {
        skippedSpans(of: open.item, open).map {
            frame(at: $0.lowerBound, in: open, format)..<frame(at: $0.upperBound, in: open, format)
        }
    }
}
