// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import AudioOutput
import EpisodeLibrary
import Listening
import Logging
import TerminalInterface

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what this machine offers, and what is known against its libraries.",
        discussion: """
            The exit status is 69 where something is missing that playing or keeping needs.

            For example:
              earshot doctor
            """)

    @Flag(help: "Write one JSON object a line to standard output: docs/json-library.md.")
    var json = false

    @Option(help: ArgumentHelp("The folder that keeps the downloads.", valueName: "folder"))
    var keepDir: String?

    func run() async throws {
        let library = await DiskWork.run { () throws(Never) in Self.library }
        let findings = [MachineReport.keeping(in: CompositionRoot.keepDirectory(keepDir)), library, Self.soundServer]
            + MachineReport.libraries
        StandardStreams.write(findings.map(json ? FindingText.json : FindingText.line))
        let isFine = !findings.contains { $0.grade == .trouble }
        guard isFine else { throw ExitCode(TerminalInterface.ExitStatus.unavailable.rawValue) }
    }

    private static var library: MachineReport.Finding {
        do throws(LibraryError) {
            guard let library = try CompositionRoot.existingLibrary() else {
                return .init(.remark, "there is no library yet")
            }
            return MachineReport.finding(of: try library.health())
        } catch {
            return .init(.trouble, error.reason)
        }
    }

    private static var soundServer: MachineReport.Finding {
        let sink = CompositionRoot.sink(for: .pulse(sink: nil), logger: CompositionRoot.logger(.critical))
        do throws(AudioOutputError) {
            try sink.prepare()
            try sink.close()
            return .init(.good, "the sound server answers")
        } catch {
            return .init(.trouble, "no sound is to be heard: \(error.words)")
        }
    }
}

extension AudioOutputError {
    fileprivate var words: String {
        switch self {
        case .noServer(let reason): reason
        case .refused(let operation, let reason): "\(operation): \(reason)"
        case .cannotWrite(let path, let reason): "\(path): \(reason)"
        }
    }
}
