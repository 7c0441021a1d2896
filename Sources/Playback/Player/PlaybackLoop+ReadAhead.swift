// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TrackReading

/// The reading ahead of the device, and the requests for the bytes that it needs.
extension PlaybackLoop {
    /// Reads until the ring is full or no data is available, at most 64 steps: enough for what the device plays between
    /// two rounds at double speed.
    func readAhead() -> DecodePipeline.Progress {
        for _ in 0..<64 {
            let progress = audio.step()
            if progress != .progressed { return react(to: progress) }
        }
        return .progressed
    }

    /// Handles what a step of reading found.
    /// - Returns: the progress; `progressed` if an event was handled.
    func react(to progress: DecodePipeline.Progress) -> DecodePipeline.Progress {
        switch progress {
        case .itemFailed(let item, let generation, let failure):
            plan.failed(generation)
            starts.failed()
            emit(.itemFailed(item, failure))
        case .itemBroke(_, let generation, let failure):
            succeed()
            failures[generation] = failure
        case .itemRead: succeed()
        // If it were repeated, playback would read it again and again without a sound.
        case .itemLeftOut(let generation): plan.failed(generation)
        case .itemPassed(let item):
            succeed()
            announceSeekResult(in: item)
        case .beyondEnd(let item, let generation): returnFromSeekPastEnd(in: item, generation)
        case .progressed, .ringFull, .notYetAvailable, .lost, .idle: return progress
        }
        return .progressed
    }

    private func succeed() {
        plan.succeeded()
        starts.succeeded()
    }

    /// Tells each source the offset it must provide next. If an item is open twice, its source serves the instance
    /// played first.
    private func requestBytes() {
        var sources: [any ByteSource] = []
        for item in audio.items where !item.isOver {
            let source = item.reader.source
            guard !sources.contains(where: { $0 === source }) else { continue }
            source.setReadPosition(from: item.reader.wantedOffset)
            item.crossing?.source.setReadPosition(from: item.crossing?.readOffset ?? 0)
            sources.append(source)
        }
    }

    /// Requests the next bytes, and indexes downloaded ones.
    /// - Returns: true if more can be indexed immediately.
    func steer(_ progress: DecodePipeline.Progress) -> Bool {
        requestBytes()
        audio.measureLoudness()
        let isComparing = audio.surveyVersions()
        if let (item, mapping, change) = audio.cross() {
            sleep.countdown?.move(item.id, by: change)
            emit(.versionChanged(item, at: position, mapping, change))
            return true
        }
        if let (item, failure) = audio.closeRejected() { emit(.alternativePlayed(item, failure)) }
        guard !isComparing else { return true }
        guard let reader = audio.reading ?? audio.readers.last else { return false }
        if progress == .notYetAvailable, let wait = reader.landingWait, seeks.reportsWait(in: reader.item.id) {
            emit(.mustWait(reader.item, MediaFailure(.unavailable, wait.reason)))
        }
        let hasMore = reader.survey(isSoundDue: !canRest(after: progress))
        for open in audio.readers {
            if let damage = open.removeDamage() { emit(.damageSkipped(open.item, damage)) }
            if let (anchor, time) = open.removeCorrection() { emit(.timesCorrected(open.item, from: anchor, by: time)) }
        }
        if let index = reader.removeIndexToStore() { reader.item.source?.keep(index) }
        return hasMore
    }
}

extension LandingWait {
    /// A phrase for the listener.
    fileprivate var reason: String {
        switch self {
        case .serverSendsInOrder: "the server does not support seeking; waiting for all data before that position"
        case .serverHasNewerVersion:
            "the episode changed on the server; waiting for all data of this version before that position"
        case .followsAnother: "another earshot is downloading this; waiting for that position"
        case .indexIsLast: "the file ends with its index, and the server does not support seeking; waiting for all data"
        case .fileHasNoIndex: "the file has no index; waiting for all data before that position"
        }
    }
}
