// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Media
import Synchronization

/// A measurer of the loudness of the open items, ahead of playback. Its thread has a low priority, exists only while
/// there is something to measure, and never influences a download.
final class LoudnessMeasurer: Sendable {
    /// An item to measure.
    final class Task: Sendable {
        let source: any ByteSource
        let start: TimeTarget
        let loudness: ItemLoudness
        /// An earlier measurement, which counts if the file is the same.
        let kept: KeptLoudness?
        /// True if the parts of this measurement count. Those of another version would replace what was measured.
        let countsParts: Bool
        /// Receives the measurement of the whole file, on the measuring thread.
        let keep: @Sendable (KeptLoudness) -> Void
        private let onEnd: @Sendable () -> Void
        private let cancelled = Atomic<Bool>(false)
        private let over = Atomic<Bool>(false)

        /// - Parameter onEnd: called on the measuring thread when the measurement is over.
        init(
            _ source: any ByteSource, from start: TimeTarget, _ loudness: ItemLoudness, kept: KeptLoudness? = nil,
            countsParts: Bool = true, keep: @escaping @Sendable (KeptLoudness) -> Void,
            onEnd: @escaping @Sendable () -> Void = {}
        ) {
            (self.source, self.start, self.loudness) = (source, start, loudness)
            (self.kept, self.countsParts, self.keep, self.onEnd) = (kept, countsParts, keep, onEnd)
        }

        var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
        /// True if nothing more is measured.
        var isOver: Bool { over.load(ordering: .acquiring) }
        /// Ends the measurement soon. The source may be closed immediately: its reads then fail.
        func cancel() { cancelled.store(true, ordering: .relaxed) }

        fileprivate func end() {
            over.store(true, ordering: .releasing)
            onEnd()
        }
    }

    private struct State {
        /// The tasks that the thread has not taken yet.
        var added: [Task] = []
        var isRunning = false
        var isStopped = false
    }

    private let state = Mutex(State())
    private let wakeSignal = WakeSignal()

    /// Starts to measure an item. Without a thread for it, the gain stays at its estimate.
    func measure(_ task: Task) {
        let mustStart = state.withLock { state in
            state.added.append(task)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return wake() }
        let thread = WorkerThread.start { [self] in run() }
        guard let thread else { return abandon() }
        thread.detach()
    }

    private func abandon() {
        let tasks = state.withLock { state in
            defer { (state.added, state.isRunning) = ([], false) }
            return state.added
        }
        for task in tasks { task.end() }
    }

    /// Continues measurements that wait for bytes.
    func wake() { wakeSignal.signal() }

    /// Ends all measurements soon.
    func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    // MARK: The measuring thread

    private func run() {
        WorkerThread.lowerPriority()
        var scans: [TaskScan] = []
        while takeTasks(&scans) {
            var isWaiting = true
            for scan in scans where scan.proceed() { isWaiting = false }
            scans.removeAll { $0.isOver }
            if isWaiting, !scans.isEmpty { wakeSignal.wait(atMost: .seconds(60)) }
        }
    }

    /// - Returns: false if the thread must end.
    private func takeTasks(_ scans: inout [TaskScan]) -> Bool {
        let hasScans = !scans.isEmpty
        let added: [Task]? = state.withLock { state in
            guard !state.isStopped, hasScans || !state.added.isEmpty else {
                state.isRunning = false
                return nil
            }
            defer { state.added = [] }
            return state.added
        }
        scans += (added ?? []).map(TaskScan.init)
        return added != nil
    }
}

/// The measurement of one item. Confined to the measuring thread.
private final class TaskScan {
    private let task: LoudnessMeasurer.Task
    private let scan: LoudnessScan
    private var hasBegun = false
    private(set) var isOver = false
    /// The steps between two updates: some seconds of sound, some milliseconds of work.
    private static let stepsPerUpdate = 128

    init(_ task: LoudnessMeasurer.Task) {
        self.task = task
        scan = LoudnessScan(task.source, from: task.start)
    }

    /// Measures some seconds of sound.
    /// - Returns: false if the next byte is not available yet, or if the measurement is over.
    func proceed() -> Bool {
        guard hasBegun || !isKnown() else { return end() }
        hasBegun = true
        for _ in 0..<Self.stepsPerUpdate {
            guard !task.isCancelled else { return end() }
            switch scan.step() {
            case .progressed: continue
            case .waiting:
                update()
                return false
            case .ended(let isWhole):
                update(isWhole: isWhole)
                if isWhole, let file = FileFingerprint(task.source) {
                    task.keep(KeptLoudness(scan.histogram, of: file))
                }
                return end()
            }
        }
        update()
        return true
    }

    private func update(isWhole: Bool = false) {
        if isWhole || task.countsParts { task.loudness.update(scan.histogram, isWhole: isWhole) }
    }

    /// Takes the earlier measurement if it is one of this very file.
    private func isKnown() -> Bool {
        guard let kept = task.kept, FileFingerprint(task.source) == kept.file else { return false }
        task.loudness.update(kept.histogram, isWhole: true)
        return true
    }

    private func end() -> Bool {
        isOver = true
        task.end()
        return false
    }
}
