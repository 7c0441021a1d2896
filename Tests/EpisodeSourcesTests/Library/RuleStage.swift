// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import ProgressiveDownload
import Testing

/// A library whose downloads obey rules.
struct RuleStage {
    let base: LibraryStage
    let downloads: LibraryDownloads
    private let directory: KeepDirectory
    var library: Library { base.library }
    var rules: LibraryRules { LibraryRules(library, downloads) }

    init() throws {
        base = try LibraryStage()
        directory = KeepDirectory(path: base.directory.path("kept"))
        try directory.create()
        downloads = LibraryDownloads(base.library, in: directory)
    }

    func set(_ key: SettingKey, _ text: String, for podcast: Int64? = nil) throws {
        try library.set(key, to: SettingValue(parsing: text, for: key), for: podcast)
    }

    /// Returns the path of a download's file, or of a file beside it.
    func path(_ episode: Int64, _ suffix: String = "") throws -> String {
        let keptAs = try #require(try library.download(of: episode)).keptAs
        return directory.location(forEnclosure: keptAs).path + suffix
    }

    /// Stores a file of 64 KiB for a requested download.
    func store(_ episode: Int64, _ suffix: String = "") throws {
        let name = try path(episode, suffix).dropFirst(base.directory.path.count + 1)
        try base.directory.write([UInt8](repeating: 1, count: 65_536), to: String(name))
    }

    /// The number of files outside the trash.
    var stored: Int { base.directory.names(in: "kept").count { $0 != "trash" } }
    var trashed: Int { base.directory.names(in: "kept/trash").count }
}
