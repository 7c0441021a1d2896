// SPDX-License-Identifier: GPL-3.0-or-later
package import Media

/// Waits for bytes that have not arrived.
extension ContainerTrackReader {
    package var pendingTarget: TimeTarget? { if case .land(let target) = goal { target } else { nil } }

    package var landingWait: LandingWait? {
        let progress = source.downloadProgress
        if case .reach(let landing) = goal, !kind.numbersPackets, landing.frame > index.end { return .fileHasNoIndex }
        guard let cause = progress.inOrderCause else { return nil }
        let hasGap = progress.extents.contiguousEnd(from: 0) < readOffset
        let isIndexLast = segments.isEmpty && cause == .server
        switch goal {
        case .reach: return LandingWait(cause)
        case .land, .search: return hasGap ? (isIndexLast ? .indexIsLast : LandingWait(cause)) : nil
        case .play: return hasGap && decoding?.nextTime == nil ? LandingWait(cause) : nil
        case .end: return nil
        }
    }

    /// Waits for the next byte, unless the approach was chosen before the rate or the abilities of the server were
    /// known: the reader reads the bytes in between if the server turns out to send only from the beginning, and
    /// searches ahead of them if they turn out to take longer.
    func waitOrChangeApproach() -> TrackStep {
        if case .reach(let landing) = goal { return waitOrSearch(landing) }
        if case .land = goal { return waitOrContinueApproach() }
        guard !source.downloadProgress.canSkipAhead, let landing = unreadLanding else { return .notYetAvailable }
        // The server may serve ranges again later.
        searchedLanding = nil
        follow(landing)
        return .progressed
    }

    /// Waits for the next byte, unless the search for another stream can continue in bytes that have arrived.
    private func waitOrContinueApproach() -> TrackStep {
        guard nextStream.isUnfinished else { return .notYetAvailable }
        let searched = nextStream.end
        approachPendingTarget()
        if case .land = goal, nextStream.end == searched { return .notYetAvailable }
        return .progressed
    }

    private func waitOrSearch(_ landing: Landing) -> TrackStep {
        // After a search, only the few bytes behind its result are missing.
        guard isFollowingIndex, searchedLanding != landing, index.last?.segment == landing.segment,
            case let time = saved.flatMap({ map?.time(of: $0) }) ?? requestedTime, isAhead(time)
        else { return .notYetAvailable }
        searchOrFollow(time == requestedTime ? landing : self.landing(at: time), time)
        if case .reach = goal { return .notYetAvailable }
        return .progressed
    }

    /// The landing of a search or an estimate that has found no packet.
    private var unreadLanding: Landing? {
        switch goal {
        case .search(let landing, _, _): landing
        case .play(let landing): hasUnreadEstimate ? landing : nil
        case .land, .reach, .end: nil
        }
    }
}
