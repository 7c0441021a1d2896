// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import EpisodeSources
import Glibc
import Media
import Synchronization
import TerminalInterface

/// Writes the inputs in order to a partial file beside the output, and renames it when it is complete.
struct RenderWork: Sendable {
    struct Input: Sendable {
        var resolved: ResolvedEpisode
        var section: SectionTarget?
    }

    struct Written: Sendable {
        var file: RenderedFile
        /// The failures of inputs that were partly written.
        var damage: [RenderFailure]
    }

    let options: RenderOptions
    let inputs: [Input]
    let opening: AudioOpener
    let progress: RenderProgress

    /// The path of the partial file beside the output. Its name is short, because the output's name may have the
    /// maximum length. An existing file with this name is never changed.
    private var partialPath: String {
        let folder = options.output.lastIndex(of: "/").map { options.output[...$0] } ?? ""
        return "\(folder)earshot.\(getpid()).partial"
    }

    /// Writes the file; blocks on the disk.
    func run() throws(RenderFailure) -> Written {
        try about(options.output) { () throws(MediaFailure) in try checkOutput() }
        try about(options.output) { () throws(MediaFailure) in try makePartial() }
        do throws(RenderFailure) {
            let written = try write()
            try about(options.output) { () throws(MediaFailure) in try renameOutput() }
            return written
        } catch {
            unlink(partialPath)
            throw error
        }
    }

    private func write() throws(RenderFailure) -> Written {
        var rendering: Rendering?
        var damage: [RenderFailure] = []
        for input in inputs { if let failure = try add(input, to: &rendering) { damage.append(failure) } }
        guard var rendering else { throw RenderFailure(MediaFailure(.missing, "no input"), about: "render") }
        let file = try about(options.output) { () throws(MediaFailure) in try rendering.finish(as: options.output) }
        return Written(file: file, damage: damage)
    }

    /// Writes an input.
    /// - Parameter rendering: `nil` before the first input.
    /// - Returns: the failure of a damaged input whose intact part was written.
    private func add(_ input: Input, to rendering: inout Rendering?) throws(RenderFailure) -> RenderFailure? {
        let name = input.resolved.libraryEntry == nil ? input.resolved.location : input.resolved.title
        let reader: AudioFileReader
        let section: TimeSection?
        do throws(MediaFailure) {
            let first = try self.reader(of: input, rendering?.format, isWhole: false)
            section = try self.section(of: input, first)
            // The tags state where the section ends.
            reader = first.seemsToEnd(before: section?.end)
                ? try self.reader(of: input, rendering?.format, isWhole: true) : first
        } catch {
            throw RenderFailure(error, about: name)
        }
        let (format, length) = (reader.format, reader.exactDuration)
        if rendering == nil {
            let tags = options.tags(section.map { $0.limited(to: length) })
            rendering = try about(options.output) { () throws(MediaFailure) -> Rendering in try begin(format, tags) }
        }
        let before = rendering?.frames
        do throws(MediaFailure) {
            var play = options.play
            play.section = section
            let damage = try rendering?.append(reader, play, progress)
            return damage.map { RenderFailure($0, about: name) }
        } catch {
            // A failure of the output is not a fault of the input.
            guard rendering?.failure == nil else { throw RenderFailure(error, about: options.output) }
            let failure = RenderFailure(error, about: name)
            guard error.kind == .badData, rendering?.frames != before else { throw failure }
            return failure
        }
    }

    /// Returns the section of an input, whose length decides where a percentage lies.
    private func section(of input: Input, _ reader: AudioFileReader) throws(MediaFailure) -> TimeSection? {
        guard let target = input.section else { return nil }
        if target.needsLength {
            do throws(AudioFileError) { try reader.measure() } catch { throw MediaFailure(error) }
        }
        guard let length = target.needsLength ? reader.exactDuration : .zero else {
            throw MediaFailure(.missing, "the duration is unknown: give times instead of percentages")
        }
        guard let section = target.counted(reader.time).section(within: length) else {
            throw MediaFailure(.missing, "the section does not end after its start")
        }
        return section
    }

    /// Returns a reader in the output format. Without options, the first input decides the format.
    private func reader(
        of input: Input, _ settled: AudioFormat?, isWhole: Bool
    ) throws(MediaFailure) -> AudioFileReader {
        let goesOn = { !progress.stop.isSet }
        let isReversed = options.play.isReversed && input.section?.end == nil
        let isWhole = isWhole || isReversed || input.section?.needsLength ?? false
        if let settled { return try opening.reader(of: input.resolved, as: settled, isWhole: isWhole, while: goesOn) }
        let reader = try opening.reader(of: input.resolved, isWhole: isWhole, while: goesOn)
        let own = reader.format
        let wanted = AudioFormat(
            sampleRate: options.sampleRate ?? options.type.nearestRate(to: own.sampleRate),
            channels: options.channels ?? own.channels, layout: options.channels == nil ? own.layout : nil)
        guard own != wanted else { return reader }
        return try opening.reader(of: input.resolved, as: wanted, isWhole: isWhole, while: goesOn)
    }

    private func begin(_ format: AudioFormat, _ tags: AudioMetadata) throws(MediaFailure) -> Rendering {
        let file = AudioFileFormat(
            type: options.type, sampleRate: format.sampleRate, channels: format.channels, encoding: options.encoding,
            layout: format.layout)
        do throws(AudioFileError) {
            progress.sampleRate.store(format.sampleRate, ordering: .relaxed)
            return Rendering(
                writer: try AudioFileWriter(
                    path: partialPath, fileFormat: file, format: format, metadata: tags), format: format,
                decibels: options.decibels, fade: options.fade, canClip: !file.encoding.isFloat)
        } catch .cannotWrite(_, let reason) {
            throw MediaFailure(.cannotCreate, reason)
        } catch {
            throw MediaFailure(error)
        }
    }

    private func checkOutput() throws(MediaFailure) {
        var there = stat()
        // A dangling link also occupies the name.
        guard stat(options.output, &there) == 0 || lstat(options.output, &there) == 0 else { return }
        guard [S_IFREG, S_IFLNK].contains(there.st_mode & S_IFMT) else {
            throw MediaFailure(.cannotCreate, "not a regular file")
        }
        guard options.replaces else { throw Self.nameIsTaken }
    }

    private static let nameIsTaken = MediaFailure(.cannotCreate, "file exists; use --force to replace it")

    private func makePartial() throws(MediaFailure) {
        let descriptor = open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw MediaFailure(.cannotCreate, SystemError.phrase(of: errno)) }
        close(descriptor)
    }

    private func renameOutput() throws(MediaFailure) {
        do throws(SystemError) {
            try FinishedFile(path: partialPath).rename(to: options.output, replacing: options.replaces)
        } catch {
            guard error.code != EEXIST else { throw Self.nameIsTaken }
            throw error.isFull || error.code == EIO
                ? error.whileTransferring : MediaFailure(.cannotCreate, error.phrase)
        }
    }

    private func about<Value>(
        _ subject: String, _ body: () throws(MediaFailure) -> Value
    ) throws(RenderFailure) -> Value {
        do throws(MediaFailure) { return try body() } catch { throw RenderFailure(error, about: subject) }
    }
}

extension AudioFileReader {
    /// True if the file ends before a time according to its estimated length.
    fileprivate func seemsToEnd(before time: Duration?) -> Bool {
        guard let time, case .estimate(let frames) = length else { return false }
        return format.frames(in: time) > frames
    }

    /// The duration; `nil` while it is an estimate or unknown.
    fileprivate var exactDuration: Duration? {
        if case .exact(let time) = duration { time } else { nil }
    }
}

extension TimeSection {
    /// Returns the section of a recording of this length.
    fileprivate func limited(to length: Duration?) -> TimeSection {
        guard let length, start < length, let end, end > length else { return self }
        return TimeSection(start: start, end: length)
    }
}

extension AudioFileType {
    /// Returns the default rate of a file of this type; Opus supports five rates.
    func nearestRate(to rate: Int) -> Int {
        guard self == .opus else { return rate }
        return [8000, 12000, 16000, 24000].first { rate <= $0 } ?? 48000
    }
}
