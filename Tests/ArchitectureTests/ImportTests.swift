// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@Suite("Imports")
struct ImportTests {
    /// The table of ARCHITECTURE.md. Every target may import the Swift standard library and the C library.
    static let mayImport: [String: Set<String>] = [
        "Media": [],
        "Feeds": ["Media", "CXML2", "CLoaders"],
        "SQLDatabase": ["CSQLite"],
        "EpisodeLibrary": ["Media", "Feeds", "SQLDatabase"],
        "HTTPTransfer": ["Media", "CCurl", "CLoaders", "Logging"],
        "ProgressiveDownload": ["Media", "HTTPTransfer", "Logging", "Dispatch"],
        "MPEGAudio": ["Media"],
        "AudioBuffers": ["Media"],
        "AudioContainers": ["Media", "MPEGAudio"],
        "AudioDecoding": [
            "Media", "AudioBuffers", "MPEGAudio", "AudioContainers", "CMPG123", "CFAAD", "COpus", "CVorbis", "CFLAC",
            "CSYN123", "CLoaders",
        ],
        "AudioFiles": ["Media", "AudioBuffers", "AudioContainers", "AudioDecoding", "TrackReading", "CSndfile"],
        "TrackReading": ["Media", "MPEGAudio", "AudioContainers", "AudioDecoding"],
        "AudioProcessing": ["Media", "AudioBuffers", "COpusEncoder"],
        "AudioEngine": ["Media", "AudioBuffers", "AudioFiles", "AudioProcessing"],
        "AudioOutput": ["Media", "AudioEngine", "CPulse", "Logging"],
        "EarshotAudio": [
            "Media", "AudioBuffers", "AudioDecoding", "AudioFiles", "AudioProcessing", "AudioEngine", "AudioOutput",
        ],
        "Playback": [
            "Media", "AudioBuffers", "MPEGAudio", "AudioDecoding", "TrackReading", "AudioProcessing", "AudioEngine",
            "AudioOutput", "Logging",
        ],
        "Subscriptions": ["Media", "Feeds", "EpisodeLibrary", "HTTPTransfer", "Logging", "Dispatch"],
        "EpisodeSources": [
            "Media", "AudioFiles", "MPEGAudio", "TrackReading", "Feeds", "EpisodeLibrary", "HTTPTransfer",
            "ProgressiveDownload", "AudioProcessing", "Playback", "Subscriptions", "Logging", "Dispatch",
        ],
        "ControlProtocol": ["Media"],
        "ControlSocket": ["Media", "ControlProtocol"],
        "DesktopBus": ["Media", "CSystemd"],
        "TerminalInterface": [
            "Media", "EpisodeLibrary", "AudioFiles", "AudioProcessing", "AudioEngine", "Playback", "Subscriptions",
            "EpisodeSources", "CCrashRecovery",
        ],
        "Screens": ["Media", "TerminalInterface"],
        "FullScreen": ["Media", "EpisodeLibrary", "Playback", "TerminalInterface", "Screens"],
        "Sessions": [
            "Media", "Feeds", "EpisodeLibrary", "HTTPTransfer", "ProgressiveDownload", "AudioBuffers", "AudioDecoding",
            "AudioFiles", "AudioProcessing", "AudioEngine", "AudioOutput", "Playback", "Subscriptions",
            "EpisodeSources", "TerminalInterface", "Screens", "FullScreen", "ControlProtocol", "ControlSocket",
            "DesktopBus", "CProcessMemory",
            "Logging", "Dispatch",
        ],
        "earshot": [
            "Media", "EpisodeLibrary", "ProgressiveDownload", "AudioFiles", "AudioProcessing", "Playback",
            "Subscriptions", "EpisodeSources", "TerminalInterface", "Screens", "Sessions", "CDispatchRest",
            "ArgumentParser", "Logging",
        ],
    ]
    static let freeToAll: Set<String> = ["Swift", "Glibc", "Synchronization", "FoundationEssentials"]
    static let withoutFoundation: Set<String> = [
        "Media", "MPEGAudio", "AudioContainers", "AudioBuffers", "AudioDecoding", "AudioFiles",
        "AudioProcessing", "AudioEngine", "AudioOutput", "TrackReading", "EarshotAudio", "Playback",
    ]
    static let cModules: Set<String> = [
        "CCurl", "CFAAD", "CFLAC", "CMPG123", "CProcessMemory", "COpus", "COpusEncoder", "CVorbis", "CPulse",
        "CSYN123", "CSQLite", "CSndfile", "CSystemd", "CXML2",
    ]

    @Test("A file imports only modules from the row of its target", arguments: SourceTree.sources)
    func row(file: SourceTree.File) throws {
        let allowed = try #require(Self.mayImport[file.target], "\(file.target) has no row in the table")
        #expect(Set(file.imports).subtracting(Self.freeToAll).subtracting(allowed) == [])
    }

    @Test("Only one folder of one target imports each C library", arguments: cModules)
    func oneImporter(module: String) {
        let folders = Set(SourceTree.sources.filter { $0.imports.contains(module) }.map(\.folder))
        #expect(folders.count == 1, "\(module) is imported by \(folders.sorted())")
    }

    @Test("No file imports Foundation or FoundationNetworking", arguments: SourceTree.sources)
    func noFoundation(file: SourceTree.File) {
        #expect(Set(file.imports).isDisjoint(with: ["Foundation", "FoundationNetworking"]))
    }

    @Test("The audio targets and Media import no part of Foundation", arguments: SourceTree.sources)
    func audioWithoutFoundation(file: SourceTree.File) {
        #expect(!Self.withoutFoundation.contains(file.target) || !file.imports.contains("FoundationEssentials"))
    }

    @Test("Package.swift declares only dependencies that the table allows", arguments: SourceTree.targets)
    func declared(target: String) throws {
        let package = try #require(SourceTree.text(of: "Package.swift"))
        let declared = try #require(Self.dependencies(of: target, in: package), "Package.swift has no \(target)")
        let allowed = try #require(Self.mayImport[target])
        #expect(declared.subtracting(allowed) == [])
    }

    @Test("ARCHITECTURE.md has a row for each target", arguments: SourceTree.targets)
    func documented(target: String) throws {
        let document = try #require(SourceTree.text(of: "ARCHITECTURE.md"))
        let row = document.split(separator: "\n").first { $0.hasPrefix("| `\(target)` |") }
        #expect(row != nil)
    }

    /// Returns the names between the first brackets after `library("TARGET"` or `name: "TARGET"`.
    static func dependencies(of target: String, in package: String) -> Set<String>? {
        let targets = package.split(separator: "targets: [\n        // C libraries").last ?? package[...]
        let declarations = String(targets)
        let starts = ["\"\(target)\")", "\"\(target)\",", "\"\(target)\", ["]
        let forms = starts.flatMap { ["library(" + $0, "library(\n            " + $0, "name: " + $0] }
        guard let start = forms.compactMap({ declarations.firstRange(of: $0) }).first else { return nil }
        if declarations[start].hasSuffix(")") { return [] }
        guard let open = declarations[start.lowerBound...].firstIndex(of: "["),
            let close = declarations[open...].firstIndex(of: "]")
        else { return nil }
        let names = declarations[declarations.index(after: open)..<close].split { ", \n".contains($0) }
        return Set(
            names.map { name in
                switch name {
                case "logging": "Logging"
                case "arguments": "ArgumentParser"
                default: String(name.filter { $0 != "\"" })
                }
            })
    }
}
