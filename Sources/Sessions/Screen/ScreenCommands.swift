// SPDX-License-Identifier: GPL-3.0-or-later
import FullScreen
import Glibc
import Media
import Screens
import Synchronization
import TerminalInterface

/// The commands that the screen runs in the background.
final class ScreenCommands: Sendable {
    /// The commands that the end of the screen ends: changes are complete in a moment.
    private let running = Mutex<[CommandRun.ID: ChildProcess]>([:])
    private let box: ScreenMailbox

    init(_ box: ScreenMailbox) { self.box = box }

    /// Starts a command. Its end is an event, also if it cannot be started.
    /// - Parameter feeds: the number of subscribed podcasts, for the progress of a refresh; `nil` if it is unknown.
    func run(_ run: CommandRun, feeds: Int?) {
        var text = CommandOutput(run.arguments)
        if let feeds, run.arguments == ["refresh"] { text.expect(feeds: feeds) }
        let child: ChildProcess
        do throws(SystemError) {
            child = try ChildProcess(text.arguments, .captured)
        } catch {
            return fail(run, "cannot start the command: \(error.phrase)")
        }
        if !run.isChange { running.withLock { $0[run.id] = child } }
        let thread = WorkerThread.start { [self, text] in
            var text = text
            follow(child, run.id, &text)
            let status = end(child, run.id)
            for event in text.finish(status: status, of: run.id) { box.send(event) }
            // What it changed is shown even if no watch of the library exists.
            box.send(.libraryTouched)
        }
        guard let thread else {
            child.terminate()
            _ = end(child, run.id)
            return fail(run, "cannot create a thread for the command")
        }
        thread.detach()
    }

    /// Waits for the end of a command, which then no longer counts as running.
    /// - Returns: its status.
    private func end(_ child: ChildProcess, _ id: CommandRun.ID) -> Int32 {
        let status = child.wait()
        running.withLock { _ = $0.removeValue(forKey: id) }
        return status
    }

    private func fail(_ run: CommandRun, _ sentence: String) {
        box.send(.command(run.id, .ended(status: ExitStatus.internalFault.rawValue, output: [], errors: [sentence])))
    }

    /// Ends the commands that still run: their changes are complete at any time, and downloads resume later.
    /// - Returns: the number of those commands.
    func stop() -> Int {
        let children = running.withLock { Array($0.values) }
        for child in children { child.terminate() }
        return children.count
    }

    private func follow(_ child: ChildProcess, _ id: CommandRun.ID, _ text: inout CommandOutput) {
        guard let output = child.output, let errors = child.errors else { return }
        var entries = [output, errors].map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while entries.contains(where: { $0.fd >= 0 }) {
            guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
            for index in entries.indices where entries[index].fd >= 0 && entries[index].revents != 0 {
                let count = read(entries[index].fd, &buffer, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else {
                    entries[index].fd = -1
                    continue
                }
                guard index == 0 else {
                    text.receive(errors: buffer[..<count])
                    continue
                }
                for event in text.receive(buffer[..<count], of: id) { box.send(event) }
            }
        }
    }
}
