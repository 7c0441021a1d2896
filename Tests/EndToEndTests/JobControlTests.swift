// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

/// Tests the program on a pseudo terminal. A short Python program acts as the shell that starts it, and prints the
/// observed behaviour.
@Suite("Job control")
struct JobControlTests {
    /// The way the shell starts the program: as a job, or as the session leader in an orphaned process group.
    private enum Start: String { case foreground, background, orphaned }

    /// A script that starts `earshot play` on a pseudo terminal, as its first argument specifies.
    private static let shell = """
        import os, pty, select, signal, sys, termios, time

        start, program, *words = sys.argv[1:]
        leader, terminal = pty.openpty()
        if os.fork() == 0:
            os.setsid()
            for number in (0, 1, 2): os.dup2(terminal, number)
            import fcntl
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            if start == "orphaned": os.execv(program, [program, "play", *words])
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            # Until the job is known, the signal waits.
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
            job = os.fork()
            if job == 0:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
                os.setpgid(0, 0)
                if start == "foreground": os.tcsetpgrp(0, os.getpgrp())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                os.execv(program, [program, "play", *words])
            # `fg` of a running job: the terminal changes hands without a signal.
            signal.signal(signal.SIGUSR1, lambda *_: os.tcsetpgrp(0, job))
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
            while True:
                try: _, status = os.waitpid(job, 0)
                except InterruptedError: continue
                break
            os.tcsetpgrp(0, os.getpgrp())
            os._exit(os.waitstatus_to_exitcode(status) % 256)

        seen = b""
        def wait(what):
            global seen
            end = time.monotonic() + 60
            while not what() and time.monotonic() < end:
                if select.select([leader], [], [], 0.02)[0]:
                    try: seen += os.read(leader, 65536)
                    except OSError: pass
            if not what(): sys.exit("nothing came of it: " + repr(seen[-200:]))

        def echoes(): return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
        """

    private func run(_ steps: String, _ start: Start) throws -> ProgramRun.Outcome {
        let earshot = try Earshot()
        let script = try earshot.scratch.write(Array((Self.shell + "\n" + steps).utf8), to: "shell.py")
        return try ProgramRun.run(
            [
                "python3", script, start.rawValue, Earshot.program, DemoEpisodes.path(1), "--output", "null",
                "--keep-dir", earshot.keepPath,
            ],
            // Swift's crash handler would prompt on the terminal.
            environment: ProgramRun.plainEnvironment.merging(["TERM": "xterm", "SWIFT_BACKTRACE": "enable=no"]) { $1 },
            limit: TimeLimit.event * 3)
    }

    /// The only child of the script is the session leader; its only child is earshot.
    private static let findJob = """
        def children(process):
            with open(f"/proc/{process}/task/{process}/children") as file: return list(map(int, file.read().split()))
        shell = children(os.getpid())[0]
        wait(lambda: children(shell))
        job = children(shell)[0]
        """

    @Test("A background job reads keys and draws its status line only after it comes to the foreground")
    func background() throws {
        let outcome = try run(
            """
            \(Self.findJob)
            wait(lambda: b"part1" in open(f"/proc/{job}/cmdline", "rb").read())
            # Reading in the background has failed once the program polls.
            wait(lambda: len(os.listdir(f"/proc/{job}/task")) > 4)
            assert echoes() and b"playing" not in seen, seen
            os.kill(shell, signal.SIGUSR1)
            wait(lambda: not echoes() and b"playing" in seen)
            os.write(leader, b"q")
            print(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]), echoes())
            """, .background)
        #expect(outcome.outputText == "0 True\n", "\(outcome.errors)")
    }

    @Test(
        "The terminal echoes again after any signal ends the program",
        arguments: [(SIGQUIT, 131), (SIGABRT, 250), (SIGSEGV, 245), (SIGBUS, 249), (SIGTERM, 143)] as [(CInt, Int)])
    func restores(signal: CInt, status: Int) throws {
        let outcome = try run(
            """
            \(Self.findJob)
            wait(lambda: not echoes() and b"playing" in seen)
            os.kill(job, \(signal))
            print(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]), echoes())
            """, .foreground)
        #expect(outcome.outputText == "\(status) True\n", "\(outcome.errors)")
    }

    @Test("Pasted text is not taken as keys, and the terminal marks it only during playback")
    func pastedText() throws {
        let outcome = try run(
            """
            \(Self.findJob)
            wait(lambda: b"\\x1b[?2004h" in seen and b"playing" in seen)
            os.write(leader, b"\\x1b[200~q\\x1b[201~]")
            wait(lambda: b"1.05" in seen)
            os.write(leader, b"q")
            print(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]), echoes())
            wait(lambda: b"\\x1b[?2004l" in seen)
            """, .foreground)
        #expect(outcome.outputText == "0 True\n", "\(outcome.errors)")
    }

    @Test("Ctrl-Z does not stop a process in an orphaned process group")
    func orphaned() throws {
        let outcome = try run(
            """
            wait(lambda: not echoes() and b"playing" in seen)
            os.write(leader, b"\\x1a")
            os.write(leader, b"q")
            print(os.waitstatus_to_exitcode(os.wait()[1]), echoes())
            """, .orphaned)
        #expect(outcome.outputText == "0 True\n", "\(outcome.errors)")
    }

    @Test("Ctrl-\\ stops playback and sets the exit status of SIGQUIT")
    func quitKey() throws {
        let outcome = try run(
            """
            \(Self.findJob)
            wait(lambda: not echoes() and b"playing" in seen)
            os.write(leader, b"\\x1c")
            print(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]), echoes())
            """, .foreground)
        #expect(outcome.outputText == "131 True\n", "\(outcome.errors)")
    }
}
