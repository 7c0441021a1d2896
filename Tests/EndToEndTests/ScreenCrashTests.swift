// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

/// Tests a crash while the terminal still holds a frame that it did not show. A short Python program is the terminal.
@Suite("A crash of the full-screen interface")
struct ScreenCrashTests {
    /// A terminal of 1,000 rows that reads nothing until the interface waits for it, and then sends the signal.
    private static let terminal = """
        import fcntl, os, pty, select, signal, struct, sys, termios, time

        number, *command = sys.argv[1:]
        leader, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 1000, 200, 0, 0))
        found = termios.tcgetattr(terminal)
        process = os.fork()
        if process == 0:
            os.setsid()
            for descriptor in (0, 1, 2): os.dup2(terminal, descriptor)
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            os.execv(command[0], command)

        def is_full(): return not select.select([], [terminal], [], 0)[1]
        def has_ended(): return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

        end = time.monotonic() + 180
        # The kernel passes bytes on later, so a full terminal can have space again.
        looks = 0
        while looks < 20 and not has_ended() and time.monotonic() < end:
            looks = looks + 1 if is_full() else 0
            time.sleep(0.01)
        print("full" if is_full() else "not full")
        # A terminal counts as full while it takes a few more bytes.
        spare = os.open(os.ttyname(terminal), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            while os.write(spare, b" "): pass
        except BlockingIOError: pass
        def blocks(task):
            try:
                with open(f"/proc/{process}/task/{task}/status") as status: text = status.read()
            except OSError: return False
            blocked = next(line for line in text.splitlines() if line.startswith("SigBlk:"))
            return int(blocked.split()[1], 16) >> (int(number) - 1) & 1
        os.kill(process, int(number))
        # A thread blocks the signal while it handles it.
        while not has_ended() and not any(map(blocks, os.listdir(f"/proc/{process}/task"))): pass
        shown = b""
        # The end of the process comes before the last look at what it wrote.
        while True:
            ended = has_ended()
            ready = select.select([leader], [], [], 0.01)[0]
            if ready: shown += os.read(leader, 65536)
            elif ended: break
        print(shown[-8:])
        print("restored" if termios.tcgetattr(terminal) == found else "changed")
        """

    @Test("A full terminal is restored", arguments: [SIGSEGV, SIGABRT])
    func full(signal: CInt) throws {
        let run = try ScreenRun()
        let script = try run.earshot.scratch.write(Array(Self.terminal.utf8), to: "terminal.py")
        let outcome = try ProgramRun.run(
            ["python3", script, "\(signal)", Earshot.program, "tui"],
            environment: run.environment.merging(["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"]) { $1 })
        #expect(outcome.outputText == "full\nb'\\x1b[?1049l'\nrestored\n", "\(outcome)")
    }
}
