// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension Screen {
    /// Changes the state, before `settle` asks for what the new state shows.
    mutating func react(to event: ScreenEvent) -> [ScreenEffect] {
        switch event {
        case .resized(let size): self.size = size
        case .key(let key): return press(key)
        case .paste(let text):
            held = []
            paste(text)
        case .mouse(let input):
            // The keys before a click would act on what it shows.
            held = []
            return click(input)
        case .answer(let query, let answer): take(answer, for: query)
        case .libraryChanged: reload()
        case .player(let state): take(state)
        case .download(let state): take(state)
        case .command(let id, let state): return take(state, of: id)
        case .failure(let sentence): fail(sentence)
        case .note(let sentence): message = (sentence, false)
        case .cover(let request, let picture):
            if cover?.request == request { cover?.picture = picture }
        case .clock(let time): now = max(now, time)
        case .day(let day): today = day
        }
        return []
    }

    mutating func fail(_ sentence: String) {
        errors.add(sentence)
        message = (sentence, true)
    }

    /// Reads again what is shown. While changes run, the lists show their result already.
    mutating func reload() {
        guard !hasChanges else { return }
        for pane in lists.keys { lists[pane]?.invalidate() }
        askedDetails = []
        want(.podcasts)
        want(.counts)
        if tab == .settings { want(.settings) }
    }

    mutating func want(_ query: LibraryQuery) {
        if !wanted.contains(query) { wanted.append(query) }
    }

    private mutating func take(_ answer: LibraryAnswer, for query: LibraryQuery) {
        switch (query, answer) {
        case (.episodes, .episodes(let page)):
            for pane in lists.keys where lists[pane]?.take(page, for: query) == true { return }
        case (.podcasts, .podcasts(let rows)): podcasts.take(rows)
        case (.counts, .counts(let counts)): self.counts = counts
        case (.details(let id), .details(let found)): take(found, of: id)
        case (.transcript(let id), .transcript(let rows)): takeTranscript(rows, of: id)
        case (.settings, .settings(let rows)):
            librarySettings = rows
            showSettings()
        case (_, .failure(let sentence)):
            take(failure: sentence, of: query)
        default: break
        }
    }

    private mutating func take(failure sentence: String, of query: LibraryQuery) {
        switch query {
        case .episodes: guard lists.keys.contains(where: { lists[$0]?.fail(query) == true }) else { return }
        case .podcasts: podcasts.fail()
        case .transcript: reader = nil
        default: break
        }
        fail(sentence)
    }

    private mutating func take(_ found: EpisodeDetails, of id: Int64) {
        // Details are small, and a listener looks at few of them; the bound only stops endless growth.
        if details.count >= 64 { details = details.filter { $0.key == playingEpisode } }
        details[id] = found
        guard let reader, reader.content == .notes(id), reader.paragraphs == nil else { return }
        self.reader?.take(Self.paragraphs(found))
    }

    static func paragraphs(_ details: EpisodeDetails) -> [Reader.Line] {
        let chapters = details.chapters.filter(\.isInTableOfContents).map { chapter in
            Reader.Line(
                text: chapter.title ?? "", time: chapter.start, isApproximate: details.areChaptersApproximate)
        }
        let notes = details.notes.map { Reader.Line(text: $0, time: nil) }
        let link = details.link.map { [Reader.Line(text: $0, time: nil)] } ?? []
        let blank = [Reader.Line(text: "", time: nil)]
        let parts = [notes, chapters, link].filter { !$0.isEmpty }
        return parts.isEmpty
            ? [Reader.Line(text: "The episode has no notes.", time: nil)] : Array(parts.joined(separator: blank))
    }

    private mutating func takeTranscript(_ rows: [TranscriptRow], of id: Int64) {
        guard reader?.content == .transcript(id) else { return }
        guard !rows.isEmpty else {
            reader = nil
            fail("The episode has no stored transcript; \":transcript \(id)\" fetches it.")
            return
        }
        reader?.take(
            rows.map { row in
                Reader.Line(text: (row.speaker.map { $0 + ": " } ?? "") + row.text, time: row.start)
            })
    }

    private mutating func take(_ state: PlayerState?) {
        if state?.item != player?.item {
            chapterCursor = ListCursor()
            lists[.queue]?.invalidate()
            want(.counts)
        }
        player = state?.withFiniteNumbers
    }

    private mutating func take(_ state: DownloadState) {
        let old = downloads[state.episode]
        switch state.state {
        case .wanted, .partial: downloads[state.episode] = state
        case .complete, .failed: downloads[state.episode] = nil
        }
        for pane in lists.keys {
            lists[pane]?.update(state.episode) { row in
                (row.download, row.downloaded) = (state.state, state.fraction ?? row.downloaded)
            }
        }
        // The list of downloads gets a new row, or the library knows more about a finished one.
        if old == nil || downloads[state.episode] == nil {
            lists[.downloads]?.invalidate()
            want(.counts)
        }
    }
}

extension PlayerState {
    /// The state with numbers that arithmetic can use: a driver may pass on what another process wrote.
    fileprivate var withFiniteNumbers: PlayerState {
        var state = self
        if !rate.isFinite { state.rate = 0 }
        if !speed.isFinite { state.speed = 1 }
        if bytesPerSecond?.isFinite == false { state.bytesPerSecond = nil }
        return state
    }
}
