// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlTestSupport
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import ControlSocket

@Suite("Runtime folder and ownership")
struct RuntimeFolderTests {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : 0
    }

    @Test("The folder is in XDG_RUNTIME_DIR, else in the user's runtime directory, else in XDG_STATE_HOME")
    func choice() throws {
        let scratch = ScratchDirectory()
        let (runtime, sessions, state) = (scratch.path("r"), scratch.path("s"), scratch.path("h"))
        for path in [runtime, sessions, "\(sessions)/\(geteuid())"] { mkdir(path, 0o700) }
        let environment = ["XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": state, "HOME": scratch.path]
        func path(_ removed: String..., sessions: String) throws -> String {
            try RuntimeFolder.open(
                environment: environment.filter { !removed.contains($0.key) }, creates: true, sessions: sessions
            ).path
        }
        #expect(try path(sessions: sessions) == "\(runtime)/earshot")
        #expect(try path("XDG_RUNTIME_DIR", sessions: sessions) == "\(sessions)/\(geteuid())/earshot")
        #expect(try path("XDG_RUNTIME_DIR", sessions: "/none") == "\(state)/earshot/run")
        #expect(
            try path("XDG_RUNTIME_DIR", "XDG_STATE_HOME", sessions: "/none")
                == "\(scratch.path)/.local/state/earshot/run")
        #expect(throws: RuntimeFolder.Failure.noHome) {
            try path("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME", sessions: "/none")
        }
        #expect(mode("\(state)/earshot/run") & 0o777 == 0o700)
        #expect(RuntimeFolder.path(environment: ["XDG_RUNTIME_DIR": runtime]) == "\(runtime)/earshot")
    }

    @Test("A directory that others can write, or that belongs to another user, is not used", arguments: [true, false])
    func unsafeBase(isForeign: Bool) throws {
        let scratch = ScratchDirectory()
        if !isForeign { chmod(scratch.path, 0o770) }
        let environment = ["XDG_RUNTIME_DIR": scratch.path, "HOME": scratch.path]
        let user = isForeign ? geteuid() + 1 : geteuid()
        let result = Result {
            try RuntimeFolder.open(environment: environment, creates: true, user: user, sessions: "/")
        }
        #expect(scratch.names == [".local"])
        if isForeign {
            #expect(throws: RuntimeFolder.Failure.self) { try result.get() }
        } else {
            #expect(try result.get().remark == "XDG_RUNTIME_DIR can be written by other users")
        }
    }

    @Test("A folder that others can write is refused")
    func unsafeFolder() throws {
        let scratch = ScratchDirectory()
        mkdir(scratch.path("earshot"), 0o700)
        chmod(scratch.path("earshot"), 0o720)
        let path = scratch.path("earshot")
        #expect(throws: RuntimeFolder.Failure.unsafe(path, reason: "can be written by other users")) {
            try RuntimeFolder.open(environment: ["XDG_RUNTIME_DIR": scratch.path], creates: true)
        }
    }

    @Test("A symbolic link is refused, and a missing folder is reported to a client")
    func linkAndMissing() throws {
        let fixture = SocketFixture()
        #expect(throws: RuntimeFolder.Failure.missing(fixture.scratch.path("earshot"))) {
            try fixture.folder(creates: false)
        }
        symlink("/", fixture.scratch.path("earshot"))
        #expect(throws: RuntimeFolder.Failure.self) { try fixture.folder() }
    }

    @Test("The folder has the rights 0700, the socket 0600")
    func rights() throws {
        let fixture = SocketFixture()
        let listener = try ControlListener(in: try fixture.folder())
        #expect(mode(fixture.scratch.path("earshot")) == S_IFDIR | 0o700)
        #expect(mode(fixture.scratch.path("earshot/control")) == S_IFSOCK | 0o600)
        withExtendedLifetime(listener) {}
    }

    @Test("A second owner is refused with the process of the first; after the first, the socket is gone")
    func secondOwner() throws {
        let fixture = SocketFixture()
        do {
            let first = try ControlListener(in: try fixture.folder())
            #expect(throws: ControlListener.Failure.lock(.held(process: Int64(getpid())))) {
                try ControlListener(in: try fixture.folder())
            }
            withExtendedLifetime(first) {}
        }
        #expect(fixture.scratch.names(in: "earshot") == ["control.lock"])
        #expect(throws: Never.self) { try ControlListener(in: try fixture.folder()) }
    }

    @Test("A file of another kind in the place of the socket is kept")
    func occupied() throws {
        let fixture = SocketFixture()
        let folder = try fixture.folder()
        try fixture.scratch.write([1], to: "earshot/control")
        #expect(throws: ControlListener.Failure.occupied("\(folder.path)/control")) { try ControlListener(in: folder) }
        #expect(fixture.scratch.read("earshot/control") == [1])
    }

    @Test("The socket that systemd passed is taken over, and kept at the end")
    func inherited() throws {
        let (fixture, other) = (SocketFixture(), SocketFixture())
        let folder = try fixture.folder()
        let systemd = try ControlListener(in: try other.folder())
        rename(other.scratch.path("earshot/control"), fixture.scratch.path("earshot/control"))
        let number = fcntl(systemd.socket.number, F_DUPFD, 100)
        let environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]
        #expect(ControlListener.inheritedSocket(environment: [:], first: number) == nil)
        #expect(
            ControlListener.inheritedSocket(environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"], first: number) == nil)
        let socket = try #require(ControlListener.inheritedSocket(environment: environment, first: number))
        let owner = EchoOwner(try ControlListener(in: folder, inherited: socket))
        var client = try fixture.connect()
        #expect(try client.call(.ping, within: SocketFixture.limit) == .object([]))
        owner.stop()
        #expect(fixture.scratch.names(in: "earshot") == ["control", "control.lock"])
    }

    @Test("After the owner is killed, the next one starts immediately, and two never serve at the same time")
    func killedOwner() throws {
        let fixture = SocketFixture()
        let program = ScratchDirectory.programFolder + "/ControlTestOwner"
        for _ in 0..<5 {
            let owner = try ProgramRun([program, fixture.scratch.path], limit: TimeLimit.event * 2)
            #expect(owner.wait { $0.outputSoFar == "ready\n" })
            let second = try ProgramRun.run([program, fixture.scratch.path])
            #expect(second.status == 75)
            var client = try fixture.connect()
            #expect(try client.call(.ping, within: SocketFixture.limit) == .object([]))
            owner.signal(SIGKILL)
            _ = owner.wait()
            #expect(throws: ControlConnection.Failure.notRunning) { _ = try fixture.connect() }
        }
    }
}

extension ScratchDirectory {
    /// The folder of the test program, which also contains the other built programs.
    static var programFolder: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let text = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }
}
