// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The three streams between a test and a program that it starts. The test closes the program's ends after the start.
struct StandardPipes {
    let inputEnd: CInt
    let outputEnd: CInt
    let errorEnd: CInt
    private let theirs: [CInt]

    init() throws(ProgramRun.Failure) {
        var input: [CInt] = [-1, -1]
        var output: [CInt] = [-1, -1]
        var errors: [CInt] = [-1, -1]
        // Sockets instead of pipes: the system creates them close-on-exec, so that no other child inherits them, and
        // `send` can suppress SIGPIPE.
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &input) == 0, socketpair(AF_UNIX, kind, 0, &output) == 0,
            socketpair(AF_UNIX, kind, 0, &errors) == 0
        else { throw ProgramRun.Failure(description: "cannot create pipes: errno \(errno)") }
        (inputEnd, outputEnd, errorEnd) = (input[1], output[0], errors[0])
        theirs = [input[0], output[1], errors[1]]
    }

    func spawn(_ words: [String], _ environment: [String: String]) throws(ProgramRun.Failure) -> pid_t {
        defer { for descriptor in theirs { close(descriptor) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, theirs[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, theirs[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, theirs[2], STDERR_FILENO)
        var attributes = Self.plainSignals()
        defer { posix_spawnattr_destroy(&attributes) }
        let arguments = words.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + settings { free(pointer) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, words[0], &actions, &attributes, arguments, settings)
        guard code == 0 else {
            for descriptor in [inputEnd, outputEnd, errorEnd] { close(descriptor) }
            throw ProgramRun.Failure(description: "\(words[0]): \(String(cString: strerror(code)))")
        }
        return process
    }

    /// Returns attributes that unblock all signals and reset their handlers, independent of the test process.
    private static func plainSignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }
}
