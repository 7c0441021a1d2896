// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import ControlProtocol
@testable import Sessions

@Suite("Inputs of clients")
struct ControlInputTests {
    private let ticket = ReplyTicket(client: ClientID(number: 1), form: .response(.integer(7)))

    private func isCommand(_ method: MethodName, _ parameters: String) throws -> Bool {
        let object = try JSONValue(parsing: parameters)
        let request = ControlRequest(ticket: ticket, method: method, parameters: ControlParameters(object: object))
        return ControlInput.request(request).commandTicket == ticket
    }

    @Test("Requests that change playback are commands to the player, and so is each line; other requests are not")
    func commands() throws {
        let commands: [(MethodName, String)] = [
            (.play, #"{"targets":["2"]}"#), (.play, "{}"), (.pause, "{}"), (.next, "{}"), (.seek, #"{"to":"5"}"#),
            (.volume, #"{"by":5}"#), (.command, #"{"line":"pause"}"#),
        ]
        for (method, parameters) in commands { #expect(try isCommand(method, parameters), "\(method)") }
        for method in [MethodName.status, .subscribe, .queueList, .output, .serviceStatus] {
            #expect(try !isCommand(method, "{}"), "\(method)")
        }
        #expect(ControlInput.command("pause", ticket).commandTicket == ticket)
        #expect(ControlInput.clientCount(1).commandTicket == nil)
    }

    @Test("A refused request is a failure of the kind that the owner names; one without a kind is unavailable")
    func refused() {
        let changing = ControlError("the output is being changed", kind: "temporary", status: 75)
        #expect(MediaFailure(changing) == MediaFailure(.temporary, "the output is being changed"))
        #expect(MediaFailure(ControlError.invalidParameters("\"to\" is missing")).kind == .unavailable)
    }
}
