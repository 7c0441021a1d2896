// SPDX-License-Identifier: GPL-3.0-or-later

extension ProgramRun {
    /// Starts a message bus at an address, and returns when it accepts connections. The caller ends it.
    public static func messageBus(at address: String) throws -> ProgramRun {
        let words = [
            "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address=1",
        ]
        let bus = try ProgramRun(words, limit: TimeLimit.event * 5)
        guard bus.wait(until: { !$0.outputSoFar.isEmpty }) else {
            throw MessageBusFailure(description: bus.errorsSoFar)
        }
        return bus
    }
}

private struct MessageBusFailure: Error {
    let description: String
}
