// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Synchronization

/// Events reported by the transfers.
extension EpisodeDownload {
    func receivedHead(_ head: ResponseHead, of generation: Int) -> BodyDecision {
        handle(.headReceived(generation, head, at: stopwatch.elapsed, jitter: .random(in: 0..<1)))
        core.withLock { core in
            guard core.machine.shouldContinue(generation), [200, 206].contains(head.status) else { return }
            core.conditions = RequestConditions(of: head)
        }
        checkSpace(for: generation)
        return decision(generation)
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer, of generation: Int) -> BodyDecision {
        let time = stopwatch.elapsed
        let foreign = core.withLock { core -> MediaFailure? in
            guard let offset = core.machine.offset(of: generation) else { return nil }
            return core.firstBytes.consume(bytes, at: offset)
        }
        let event = DownloadStateMachine.Event.bodyReceived(
            generation, count: bytes.count, foreign: foreign, at: time,
            // Only a rejected body may lead to another attempt.
            jitter: foreign == nil ? 0 : .random(in: 0..<1))
        handle(event, delivering: bytes)
        return decision(generation)
    }

    func finished(_ outcome: TransferOutcome, of generation: Int) {
        if outcome == .complete { inspectEnd() }
        handle(.transferEnded(generation, outcome, at: stopwatch.elapsed, jitter: .random(in: 0..<1)))
    }

    private func decision(_ generation: Int) -> BodyDecision {
        core.withLock { $0.machine.shouldContinue(generation) } ? .accept : .refuse
    }
}

/// Requests and waits.
extension EpisodeDownload {
    func request(
        _ enclosure: HTTPRequest, _ ask: DownloadStateMachine.RangeRequest, _ validator: EntityValidator?,
        _ timeoutFactor: Int
    ) -> HTTPRequest {
        var request = enclosure
        request.timeoutFactor = timeoutFactor
        guard case .rest(let first, let end) = ask else { return request }
        (request.range, request.rangeEnd, request.ifRange) = (first, end, validator?.headerText)
        return request
    }

    func begin(_ request: HTTPRequest, _ generation: Int) {
        let id = transport.start(request, receiver: DownloadReceiver(download: self, generation: generation))
        let isWanted = core.withLock { core in
            guard core.machine.shouldContinue(generation) else { return false }
            if core.machine.jump?.number == generation { core.jump = id } else { core.transfer = id }
            return true
        }
        if !isWanted { transport.cancel(id) }
    }

    func retry(_ generation: Int, after delay: Duration) -> Task<Void, Never> {
        Task { [weak self, clock] in
            do {
                try await clock.sleep(for: delay)
            } catch {
                // Cancelled: the download was stopped or continued in another way.
                return
            }
            self?.handle(.retryDeadlinePassed(generation))
        }
    }

    func renewAddress(_ generation: Int) {
        guard let renewal else { return }
        Task { [weak self] in
            let answer = await renewal()
            self?.handle(answer, for: generation)
        }
    }

    private func handle(_ answer: AddressRenewal, for generation: Int) {
        if case .renewed(let enclosure) = answer {
            core.withLock { if $0.machine.generation == generation { $0.enclosure = enclosure } }
        }
        handle(.addressRenewed(generation, answer))
    }
}
