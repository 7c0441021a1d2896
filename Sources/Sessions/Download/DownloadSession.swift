// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Glibc
import HTTPTransfer
import Media
import ProgressiveDownload
package import TerminalInterface

/// A run of `earshot download`: connects the parts and passes events to the reporter.
package struct DownloadSession {
    private enum Event: Sendable {
        case person(SessionInput)
        case download(TargetDownloader.Event)
        case over
    }

    private let started = ContinuousClock.now
    private var reporter: any DownloadReporter
    private var current: EnclosureDownload?
    /// The number of started downloads.
    private var count = 0
    /// The exit status: the first failure, or the signal that ended the session.
    private var status = ExitStatus.success
    private var isStopped = false
    private let spaceRecovery: DiskSpaceRecovery?
    private let options: SessionOptions
    /// The folder of `--keep-dir`, unless the file is copied elsewhere.
    private let chosenFolder: String?
    private var diskFullTimeout = DiskFullTimeout(isAttended: Terminal.standardErrorIsTerminal)

    package static func run(_ options: DownloadOptions) async -> ExitStatus {
        await SessionParts.run(options.session, for: options.targets) { parts in await run(options, parts) }
    }

    private static func run(_ options: DownloadOptions, _ parts: SessionParts) async -> ExitStatus {
        let downloader = TargetDownloader(
            resolver: parts.resolver(options.scope), sources: parts.sources, recorder: parts.recorder,
            transcripts: parts.transcripts)
        let (events, send) = AsyncStream.makeStream(of: Event.self)
        let people = SessionInput.follow(.nothing) { send.yield(.person($0)) }
        let downloads = Task {
            let delivery = options.file.map { FileDelivery(to: $0) }
            let events =
                if let downloads = parts.downloads, options.targets.isEmpty {
                    downloader.pending(options.wanted, of: downloads, byRule: options.wanted != nil)
                } else {
                    downloader.download(options.targets, options.episode, to: delivery)
                }
            for await event in events { send.yield(.download(event)) }
            send.yield(.over)
        }
        var session = DownloadSession(options, parts)
        let status = await session.follow(events, of: downloader)
        people.cancel()
        downloads.cancel()
        let isForAll = options.targets.isEmpty && options.wanted == nil
        if isForAll, session.count == 0, status == .success, options.session.allowsNotes {
            StandardStreams.write([LibraryRemark.message("Nothing to download.")])
        }
        return status
    }

    private init(_ options: DownloadOptions, _ parts: SessionParts) {
        spaceRecovery = parts.spaceRecovery
        self.options = options.session
        chosenFolder = options.file == nil ? parts.folders.chosen?.path : nil
        reporter = options.session.downloadReporter
    }

    private mutating func follow(_ events: AsyncStream<Event>, of downloader: TargetDownloader) async -> ExitStatus {
        for await event in events {
            switch event {
            case .person(let input): handle(input)
            case .download(let event): handle(event)
            case .over: isStopped = true
            }
            if isStopped { break }
        }
        if let current { await downloader.stop(current) }
        write(reporter.finish())
        return status
    }

    private var now: Duration { ContinuousClock.now - started }

    /// Writes texts. The result is the file, so the download continues even if writing fails.
    private func write(_ texts: [ReportText]) { StandardStreams.write(texts) }

    private mutating func handle(_ input: SessionInput) {
        switch input {
        case .stop(let status): (self.status, isStopped) = (status, true)
        case .redraw: reporter.redraw(width: Terminal.width() ?? 80)
        case .tick:
            write(reporter.setBackground(Terminal.isShownInBackground))
            guard let progress else { return }
            reportDiskSpace()
            write(reporter.refresh(progress, at: now))
            switch diskFullTimeout.update(progress.progress.condition, at: now) {
            case .began: spaceRecovery?.make(for: progress.progress)
            case .over(let failure):
                handle(.failed(failure, about: progress.location))
                isStopped = true
            case nil: break
            }
        // This session reads no keys or commands.
        case .key, .pressed, .command, .badCommand, .commandsEnded: break
        }
    }

    private mutating func reportDiskSpace() {
        let remarks = spaceRecovery?.removeRemarks() ?? []
        guard !remarks.isEmpty, !options.quiet else { return }
        write(reporter.finish() + remarks.map(FailureText.note))
    }

    /// Reports that a file which was on disk before is not in the chosen folder.
    private func reportOtherFolder(than path: String, of title: String) {
        guard let chosenFolder, let slash = path.lastIndex(of: "/"),
            access("\(chosenFolder)\(path[slash...])", F_OK) != 0
        else { return }
        options.note("\(title): already on disk in \(path[..<slash]); not copied to \(chosenFolder) (use -o)")
    }

    private mutating func handle(_ event: TargetDownloader.Event) {
        switch event {
        case .began(let download):
            count += 1
            current = download
            if let progress { write(reporter.began(progress, at: now)) }
        case .changed(let downloadProgress):
            guard var progress else { return }
            progress.progress = downloadProgress
            write(reporter.changed(progress, at: now))
        case .finished(let download, let path):
            guard let progress else { return }
            current = nil
            write(reporter.finished(progress, path: path, wasKept: download.wasKept, at: now))
            if download.wasKept { reportOtherFolder(than: path, of: progress.title) }
        case .cannotPlay(let failure, let subject): write(reporter.cannotPlay(failure, about: subject))
        case .failed(let failure, let subject):
            if status == .success { status = ExitStatus(failure.kind) }
            write(reporter.failed(failure, about: subject, number: current == nil ? nil : count))
            current = nil
        }
    }

    private var progress: DownloadItem? {
        current.map { download in
            DownloadItem(
                number: count, title: download.resolved.title, podcast: download.resolved.podcast,
                location: download.resolved.location, downloadProgress: download.downloadProgress)
        }
    }
}
