// SPDX-License-Identifier: GPL-3.0-or-later
public import Glibc
public import Media

/// The folder of the control socket and its lock: open, owned by the user, and not writable by others.
///
/// It is `$XDG_RUNTIME_DIR/earshot`; without a usable XDG_RUNTIME_DIR `/run/user/UID/earshot`; otherwise
/// `$XDG_STATE_HOME/earshot/run`. It is never in a folder that other users can write, such as /tmp.
public struct RuntimeFolder: Sendable {
    public enum Failure: Error, Sendable, Equatable {
        /// No process created the folder yet.
        case missing(String)
        /// The folder must not be used, for this reason.
        case unsafe(String, reason: String)
        case system(String, SystemError)
        /// The environment names no home directory.
        case noHome
    }

    public let path: String
    /// The reason why XDG_RUNTIME_DIR is not used, for `doctor`; `nil` if it is.
    public let remark: String?
    let descriptor: FileDescriptor
    /// The path in parts, and the owner, to open the folder again.
    private let steps: [String]
    private let user: uid_t

    /// Opens the folder.
    /// - Parameters:
    ///   - creates: true if a missing folder is created, with the rights 0700.
    ///   - sessions: the parent of the runtime directories of all users.
    public static func open(
        environment: [String: String], creates: Bool, user: uid_t = geteuid(), sessions: String = "/run/user"
    ) throws(Failure) -> RuntimeFolder {
        let remark = directoryFault(environment["XDG_RUNTIME_DIR"], user).map { "XDG_RUNTIME_DIR \($0)" }
        return try RuntimeFolder(steps(environment, user, sessions), creates, user, remark)
    }

    /// Returns the path of the folder, which need not exist; `nil` if the environment names no home directory.
    public static func path(environment: [String: String]) -> String? {
        do throws(Failure) {
            return try steps(environment, geteuid(), "/run/user").joined(separator: "/")
        } catch {
            return nil
        }
    }

    private static func steps(
        _ environment: [String: String], _ user: uid_t, _ sessions: String
    ) throws(Failure) -> [String] {
        if let runtime = environment["XDG_RUNTIME_DIR"], directoryFault(runtime, user) == nil {
            return [runtime, "earshot"]
        }
        if directoryFault("\(sessions)/\(user)", user) == nil { return ["\(sessions)/\(user)", "earshot"] }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return [state, "earshot", "run"] }
        guard let home = environment["HOME"], home.hasPrefix("/") else { throw .noHome }
        return [home, ".local", "state", "earshot", "run"]
    }

    /// - Parameter steps: the path in parts; every part but the first is created if it is missing.
    private init(_ steps: [String], _ creates: Bool, _ user: uid_t, _ remark: String?) throws(Failure) {
        let path = steps.joined(separator: "/")
        (self.path, self.remark, self.steps, self.user) = (path, remark, steps, user)
        if creates { try Self.create(steps) }
        do throws(SystemError) {
            descriptor = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw error.code == ENOENT ? .missing(path) : .system(path, error)
        }
        if let reason = Self.fault(of: descriptor, user) { throw .unsafe(path, reason: reason) }
    }

    /// Opens the folder that has the path now, which is created if it is missing.
    func reopened() throws(Failure) -> RuntimeFolder { try RuntimeFolder(steps, true, user, remark) }

    /// True if the path still leads to this folder.
    var isInPlace: Bool { FileIdentity(path: path) == FileIdentity(descriptor) }

    private static func create(_ steps: [String]) throws(Failure) {
        for count in 1...steps.count {
            let path = steps[..<count].joined(separator: "/")
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(path, SystemError("mkdir")) }
        }
    }

    /// Returns the reason why a runtime directory cannot be used; `nil` if it can.
    private static func directoryFault(_ path: String?, _ user: uid_t) -> String? {
        guard let path else { return "is not set" }
        guard path.hasPrefix("/") else { return "is not an absolute path" }
        do throws(SystemError) {
            return fault(of: try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY), user)
        } catch {
            return "cannot be opened: \(error.phrase)"
        }
    }

    private static func fault(of descriptor: FileDescriptor, _ user: uid_t) -> String? {
        do throws(SystemError) {
            let status = try descriptor.status()
            if status.st_uid != user { return "belongs to another user" }
            return status.st_mode & 0o022 == 0 ? nil : "can be written by other users"
        } catch {
            return error.phrase
        }
    }
}
