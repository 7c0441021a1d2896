// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import HTTPTransfer
import Logging
import Media
import Synchronization

/// Opening, storing, replacing and saving files.
extension EpisodeDownload {
    func open(_ core: inout Core) -> DownloadStateMachine.Event {
        // Opening it again would lose the bytes in memory.
        if let file = core.file, !file.isOnDisk, disk.sync(execute: { file.lockAgain() }) {
            proveInBackground(file)
            var stored = core.machine.stored
            stored.extents = file.extents
            return .started(stored)
        }
        // Another process may have continued the file since the last attempt.
        core.file = nil
        do throws(MediaFailure) {
            let opened = try disk.sync { () -> Result<Opened, MediaFailure> in
                do throws(MediaFailure) {
                    return .success(try Opened(location, url: url, for: purpose, calls: interruptibleCalls))
                } catch {
                    return .failure(error)
                }
            }.get()
            if location.presence == .complete {
                // Another process completed the file in the meantime.
                location.removeLeftovers()
                opened.file.release()
                return showWhole(location, &core)
            }
            (core.file, core.followed) = (opened.file, nil)
            proveInBackground(opened.file)
            if let (earlier, version) = opened.earlier {
                core.source = core.source.show(earlier, version, before: opened.file)
            } else {
                core.source = core.source.show(opened.file, total: opened.stored.entity.total)
            }
            return .started(opened.stored)
        } catch where isCancelled.load(ordering: .relaxed) {
            return .stopped
        } catch where error == DownloadLocation.busy && purpose == .playing {
            return follow(&core)
        } catch {
            return .storageFailed(error)
        }
    }

    /// The calls for opening a file. `cancel` interrupts the verification of its bytes, which may take minutes on a
    /// slow disk.
    private var interruptibleCalls: DiskCalls {
        var calls = calls
        calls.isInterrupted = { [weak self] in self?.isCancelled.load(ordering: .relaxed) ?? true }
        return calls
    }

    /// The files found when a download starts.
    private struct Opened: Sendable {
        let file: PartialFile
        let stored: StoredContent
        let earlier: (PartialFile, StoredContent)?

        init(
            _ location: DownloadLocation, url: String, for purpose: Purpose, calls: DiskCalls
        ) throws(MediaFailure) {
            (file, stored) = try PartialFile.open(location, url: url, for: purpose, calls: calls)
            do throws(SystemError) {
                earlier = try PartialFile.earlier(location, url: url, longerThan: stored, calls: calls)
            } catch where purpose == .playing && error.isDenied {
                // Nothing in the folder can be read, and the server has the episode.
                earlier = nil
            } catch {
                throw error.whileOpening
            }
        }
    }

    func store(
        _ body: UnsafeRawBufferPointer?, _ offset: Int64, _ count: Int, _ excess: Int, _ core: inout Core
    ) -> DownloadStateMachine.Event? {
        guard let body, let file = core.file else {
            return .storageFailed(MediaFailure(.inputOutput, "no file to write to"))
        }
        let (generation, time) = (core.machine.generation, stopwatch.elapsed)
        if core.allowance < count {
            if let full = spaceShortage(for: Int64(count)), !overflows(file) { return full }
            core.allowance = calls.space(location.directory).map(reserve.allowance) ?? DiskReserve.checkEvery
        }
        do throws(SystemError) {
            let bytes = UnsafeRawBufferPointer(rebasing: body.prefix(count))
            guard try !file.isBeginning(bytes, at: offset) else { return .beginningRepeated(generation) }
            guard try storeSomewhere(bytes, at: offset, file) else { return .bytesDiffered(generation) }
            core.source.count(count, at: time)
        } catch where error == MemoryPages.full {
            return memoryIsFull(file)
        } catch {
            return event(of: error)
        }
        core.allowance -= Int64(count)
        return .bytesStored(generation, count: count, excess: excess, at: time)
    }

    private func storeSomewhere(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, _ file: PartialFile
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            return try file.store(bytes, at: offset)
        } catch where error.preventsWriting && file.isOnDisk && overflows(file, because: error) {
            return try file.store(bytes, at: offset)
        }
    }

    func replaceFile(after count: Int64 = 0, _ core: inout Core) -> DownloadStateMachine.Event? {
        guard let old = core.file else { return nil }
        logger.debug("the server has a different version: starting over", metadata: metadata)
        do throws(SystemError) {
            let file = try beginReplacement(of: old)
            try file.copy(count, of: old)
            if file.writeError == nil { nameReplacement(file, of: old) }
            core.file = file
            core.source = core.source.show(file)
            return nil
        } catch {
            // The next attempt must determine again which file is which.
            old.release()
            core.file = nil
            return .storageFailed(error.whileCreating(location.partialPath))
        }
    }

    /// Returns an empty file, in memory if the audio is needed rather than the file and the folder cannot be written.
    private func beginReplacement(of old: PartialFile) throws(SystemError) -> PartialFile {
        do throws(SystemError) {
            return try old.beginReplacement()
        } catch where purpose == .playing && error.preventsWriting {
            return try PartialFile.inMemory(location, url: url, because: error, calls: calls)
        }
    }

    /// Renames the replacement. The bytes of the old version are made durable first, which may take any amount of
    /// time.
    private func nameReplacement(_ file: PartialFile, of old: PartialFile) {
        disk.async { [self] in
            do throws(SystemError) {
                try old.name(file)
            } catch {
                old.release()
                let failure = error.whileCreating(location.partialPath)
                report(.storageFailed(failure), to: file)
            }
        }
    }

    func record(_ version: StoredContent, _ core: Core) {
        onDiskIfWritable(core) { file throws(SystemError) in try file.record(version) }
    }

    func save(_ stored: StoredContent, _ core: Core) {
        let number = latestSave.add(1, ordering: .relaxed).newValue
        onDiskIfWritable(core) { [self] file throws(SystemError) in
            guard latestSave.load(ordering: .relaxed) == number else { return }
            try file.save(stored)
        }
    }

    /// Runs work that may wait for the device. A failure reaches the machine from another queue because `cancel`
    /// waits for this one.
    func onDisk(_ core: Core, _ work: @escaping @Sendable (PartialFile) throws(SystemError) -> Void) {
        guard let file = core.file else { return }
        disk.async { [self] in
            do throws(SystemError) {
                try work(file)
            } catch {
                logger.info("the disk reported an error", metadata: metadata.merging(["error": "\(error)"]) { $1 })
                report(event(of: error), to: file)
            }
        }
    }

    /// Runs such work that playback does not need.
    func onDiskIfWritable(_ core: Core, _ work: @escaping @Sendable (PartialFile) throws(SystemError) -> Void) {
        onDisk(core) { [self] file throws(SystemError) in
            try ifWritable(file) { () throws(SystemError) in try work(file) }
        }
    }

    /// Runs work that playback does not need: it continues in memory if the file cannot be changed.
    func ifWritable(_ file: PartialFile, _ work: () throws(SystemError) -> Void) throws(SystemError) {
        do throws(SystemError) {
            try work()
        } catch where error.preventsWriting && overflows(file, because: error) {
            logger.info("\(error.phrase)", metadata: metadata)
        }
    }

    /// Handles an event on another queue: the disk queue must not wait for the lock.
    func report(_ event: DownloadStateMachine.Event, to file: PartialFile) {
        DispatchQueue(label: "earshot.download.report").async { self.handle(event, to: file) }
    }

    var metadata: Logger.Metadata {
        ["url": "\(RedactedURL.logged(url))", "file": "\(location.loggedName)"]
    }

    /// Logs a step without payloads: heads and addresses may carry secrets.
    func trace(_ actions: [DownloadStateMachine.Action], _ machine: DownloadStateMachine) {
        logger.trace(
            "download step",
            metadata: [
                "download.condition": "\(machine.condition)", "download.attempt": "\(machine.generation)",
                "download.actions": "\(actions.count)",
            ])
    }
}
