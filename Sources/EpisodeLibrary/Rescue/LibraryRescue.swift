// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media
import SQLDatabase

/// The result of a rescue, which builds a library from the readable part of a damaged one and its backup. The damaged
/// file is kept.
public struct LibraryRescue: Sendable, Equatable {
    /// The number of subscribed podcasts.
    public let podcasts: Int
    public let episodes: Int
    /// The path of the damaged file; `nil` if it did not exist or was empty.
    public let aside: String?
    /// The time of the backup; `nil` if no backup existed.
    public let backupTime: UTCTime?

    /// Opens the library, and rescues it first if it is damaged.
    /// - Parameters:
    ///   - link: a link to the library, beside which earlier versions kept its backup and positions.
    ///   - runtimeFolder: a folder, best in memory, for positions while the disk is full.
    ///   - tell: called after a rescue.
    public static func open(
        _ path: String, besideLink link: String? = nil, runtimeFolder: String? = nil,
        now: @escaping @Sendable () -> UTCTime, _ tell: (LibraryRescue) -> Void
    ) throws(LibraryError) -> Library {
        let files = LibraryFiles(library: path)
        if let link { files.takeBackup(besideLink: link) }
        let library = try openOrRescue(files, runtimeFolder, now, tell)
        if let link { try library.importFallbackPositions(besideLink: link) }
        return library
    }

    private static func openOrRescue(
        _ files: LibraryFiles, _ runtimeFolder: String?, _ now: @escaping @Sendable () -> UTCTime,
        _ tell: (LibraryRescue) -> Void
    ) throws(LibraryError) -> Library {
        let path = files.library
        if looksDamaged(files), let rescue = try rescue(path, now: now) { tell(rescue) }
        do throws(LibraryError) {
            return try open(files, runtimeFolder, now)
        } catch where error.kind == .damaged {
            guard let rescue = try rescue(path, isDamaged: true, now: now) else { throw error }
            tell(rescue)
            return try open(files, runtimeFolder, now)
        }
    }

    /// Opens the library under a lock, so that no file replaces it between its opening and the first lock on it.
    private static func open(
        _ files: LibraryFiles, _ runtimeFolder: String?, _ now: @escaping @Sendable () -> UTCTime
    ) throws(LibraryError) -> Library {
        let library = try files.locked(for: .opening) { () throws(LibraryError) in
            try Library(path: files.library, runtimeFolder: runtimeFolder, now: now)
        }
        guard let library else {
            throw LibraryError(.busy, "the library \(files.library) is in use by another process")
        }
        return library
    }

    /// Rescues the library if it is damaged. This process must not have it open.
    /// - Parameters:
    ///   - path: the path of the library.
    ///   - isDamaged: true if damage was found when the library was opened or used.
    /// - Returns: `nil` if another process has rescued the library in the meantime, or if it is not damaged.
    /// - Throws: the reason why the library cannot be rescued; it is then unchanged.
    public static func rescue(
        _ path: String, isDamaged: Bool = false, now: @escaping @Sendable () -> UTCTime
    ) throws(LibraryError) -> LibraryRescue? {
        let files = LibraryFiles(library: path)
        let rescue = try files.locked(for: .replacing) { () throws(LibraryError) -> LibraryRescue? in
            guard looksDamaged(files) || isDamaged && isStillDamaged(path, now) else { return nil }
            guard !files.isInUse else {
                throw LibraryError(
                    .damaged, "the library \(path) is damaged, and another earshot is using it: quit that one first")
            }
            return try build(files, at: now())
        }
        return rescue ?? nil
    }

    /// True if the files show damage before the library is opened: a rescue was interrupted, or the library is
    /// shorter than a header and has no log. A missing or empty library counts as damaged only if there is a backup.
    public static func looksDamaged(_ path: String) -> Bool { looksDamaged(LibraryFiles(library: path)) }

    private static let shortestLibrary = 512

    private static func looksDamaged(_ files: LibraryFiles) -> Bool {
        if files.exists(files.rescued) { return true }
        let size = files.size(files.library) ?? 0
        let log = files.size(files.library + "-wal") ?? 0
        guard size < shortestLibrary, log == 0 else { return false }
        return size > 0 || files.exists(files.backup)
    }

    /// Reads the whole library and returns true if it is damaged.
    private static func isStillDamaged(_ path: String, _ now: @escaping @Sendable () -> UTCTime) -> Bool {
        let health = Result { () throws(LibraryError) in
            let library = try Library(path: path, now: now)
            let health = try library.health()
            try library.close()
            return health
        }
        switch health {
        case .success(let health): return !health.damage.isEmpty
        case .failure(let error): return error.kind == .damaged
        }
    }

    private static func build(_ files: LibraryFiles, at time: UTCTime) throws(LibraryError) -> LibraryRescue {
        let backupTime = files.time(files.backup).map { UTCTime(secondsSince1970: $0) }
        do {
            // A complete rescued library only needs to be installed.
            if !files.exists(files.rescued) {
                for ending in ["", "-wal", "-shm", "-journal"] { try files.remove(files.unfinished + ending) }
                try PrivateFile.make(files.unfinished)
                try fill(files)
                try files.sync(files.unfinished)
                try files.move(files.unfinished, to: files.rescued)
            }
            let counts = try counts(files.rescued)
            let aside = try files.install(at: time)
            return LibraryRescue(
                podcasts: counts.podcasts, episodes: counts.episodes, aside: aside, backupTime: backupTime)
        } catch {
            let reason = LibraryError(error, at: files.library)
            throw LibraryError(reason.kind, "the library is damaged and cannot be restored: \(reason.reason)")
        }
    }

    private static func counts(_ path: String) throws -> (podcasts: Int, episodes: Int) {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { db in
            let count = { (table: String) in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
            return (try count("podcast WHERE unsubscribed_at IS NULL"), try count("episode"))
        }
    }

    private static func fill(_ files: LibraryFiles) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let target = try DatabaseQueue(path: files.unfinished, configuration: configuration)
        try Schema.migrate(target)
        // The newer source comes first: rows that exist already are kept.
        let sources = try [files.library, files.backup].compactMap(source)
        try target.write { db in
            let salvage = RowRecovery(target: db)
            for source in sources { try salvage.copy(from: source) }
            try salvage.finish()
        }
        for source in sources { try source.close() }
        try target.close()
    }

    /// - Returns: `nil` if the file does not exist or cannot be read as a database.
    private static func source(_ path: String) throws -> DatabaseQueue? {
        guard access(path, F_OK) == 0 else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch let error as DatabaseError where RowRecovery.isDamage(error) {
            return nil
        }
    }
}

extension Library {
    /// The damaged files that rescues have kept beside the library, in order of time.
    public var damagedFiles: [String] { LibraryFiles(library: path).damagedFiles }
}
