// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// A program that this process starts, usually another run of its own.
final class ChildProcess: Sendable {
    /// The relation of the child to this process.
    enum Kind {
        /// The output goes to this process.
        case captured
        /// The child keeps the standard streams, and this process waits for it.
        case foreground
        /// The child continues after this process has ended, also without the terminal.
        case detached
    }

    /// The read ends of standard output and standard error of a captured child.
    let output, errors: FileDescriptor?
    /// The process; `nil` after it has ended, because the system may use its number again.
    private let process: Mutex<pid_t?>

    private struct Streams {
        var input = STDIN_FILENO, output = STDOUT_FILENO, errors = STDERR_FILENO
    }

    /// Starts this program.
    convenience init(_ arguments: [String], _ kind: Kind) throws(SystemError) {
        try self.init("/proc/self/exe", arguments, kind)
    }

    /// Starts a program.
    init(_ program: String, _ arguments: [String], _ kind: Kind) throws(SystemError) {
        var streams = Streams()
        var (output, errors): (FileDescriptor?, FileDescriptor?)
        // They stay open until the child has copies.
        var theirs: [FileDescriptor] = []
        if case .foreground = kind {
        } else {
            theirs.append(try FileDescriptor(path: "/dev/null", flags: O_RDWR))
            streams = Streams(input: theirs[0].number, output: theirs[0].number, errors: theirs[0].number)
        }
        if case .captured = kind {
            let (out, err) = (try Self.pipe(), try Self.pipe())
            (output, errors) = (out.read, err.read)
            theirs += [out.write, err.write]
            (streams.output, streams.errors) = (out.write.number, err.write.number)
        }
        (self.output, self.errors) = (output, errors)
        process = Mutex(try Self.spawn(program, arguments, kind, streams))
        withExtendedLifetime(theirs) {}
    }

    /// Asks the child to end.
    func terminate() { process.withLock { if let number = $0 { kill(number, SIGTERM) } } }

    /// Waits for the end of the child; to be called once.
    /// - Returns: the status as in a shell: the exit status, or 128 + the number of the signal that ended it.
    func wait() -> Int32 {
        guard let number = process.withLock({ $0 }) else { return 0 }
        var details = siginfo_t()
        // The number stays reserved until `waitpid`, so that `terminate` cannot reach another process.
        while waitid(P_PID, id_t(number), &details, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return process.withLock { process in
            var status: CInt = 0
            waitpid(number, &status, 0)
            process = nil
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        }
    }

    /// POSIX_SPAWN_SETSID of spawn.h, which the headers hide from Swift.
    private static let newSession = 0x80

    private static func pipe() throws(SystemError) -> (read: FileDescriptor, write: FileDescriptor) {
        var ends: [CInt] = [-1, -1]
        // A socket, because the system creates it close-on-exec, so that no other child inherits it.
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("socketpair") }
        return (try FileDescriptor(owning: ends[0]), try FileDescriptor(owning: ends[1]))
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ kind: Kind, _ streams: Streams
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if case .foreground = kind {
        } else {
            posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, streams.errors, STDERR_FILENO)
        }
        var attributes = attributes(kind)
        defer { posix_spawnattr_destroy(&attributes) }
        // A NUL would cut an argument off.
        let words = (["earshot"] + arguments).map { strdup($0.replacing("\0", with: "")) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, &attributes, words, environ)
        guard code == 0 else { throw SystemError("posix_spawn", code: code) }
        return process
    }

    /// The child gets the signals that this process blocks. Ctrl-C must not end a child in the background.
    private static func attributes(_ kind: Kind) -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags = Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF)
        switch kind {
        case .foreground: break
        case .captured: flags |= Int(POSIX_SPAWN_SETPGROUP)
        case .detached: flags |= Self.newSession
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }
}
