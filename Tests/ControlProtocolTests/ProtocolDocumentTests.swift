// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import ControlProtocol

@Suite("Tables of methods and events")
struct ProtocolDocumentTests {
    @Test("Every method has one description", arguments: MethodName.allCases)
    func described(name: MethodName) {
        #expect(MethodDescription.all.count { $0.name == name } == 1)
        #expect(name.description.help.hasSuffix("."))
    }

    @Test("The example of every method is valid", arguments: MethodName.allCases)
    func example(name: MethodName) throws {
        let method = name.description
        let parameters = try JSONValue(parsing: method.example.parameters)
        #expect(method.parameters.problem(parameters) == nil)
        #expect(method.problem(inResult: try JSONValue(parsing: method.example.result)) == nil)
    }

    @Test("The example of every event is valid", arguments: EventName.allCases)
    func event(name: EventName) throws {
        #expect(EventDescription.all.count { $0.name == name } == 1)
        #expect(name.description.keys.problem(try JSONValue(parsing: name.description.example)) == nil)
    }

    @Test("`describe` returns every method and event")
    func describe() {
        let description = ProtocolDocument.description
        #expect(MethodName.describe.description.problem(inResult: description) == nil)
        #expect(description["methods"]?.elements?.count == MethodName.allCases.count)
        #expect(description["events"]?.elements?.count == EventName.allCases.count)
    }

    /// `EARSHOT_RECORD_DUMPS=1 swift test --filter ProtocolDocument` writes the reference again.
    @Test("Every example of docs/protocol.md is one line of the protocol, and the reference is that of the tables")
    func document() throws {
        let path = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/docs/protocol.md"
        var text = String(decoding: ScratchDirectory.bytes(of: path), as: UTF8.self)
        if getenv("EARSHOT_RECORD_DUMPS") != nil, let head = text.split(separator: "## Methods\n").first {
            text = head + ProtocolDocument.reference
            let file = try #require(fopen(path, "w"))
            defer { fclose(file) }
            fputs(text, file)
        }
        #expect(text.hasSuffix(ProtocolDocument.reference), "copy ProtocolDocument.reference into docs/protocol.md")
        for line in text.split(separator: "\n") {
            if line.hasPrefix("    > {") {
                guard case .request(_, let name, let parameters) = ClientLine(.text(String(line.dropFirst(6)))) else {
                    Issue.record("not a request: \(line)")
                    continue
                }
                #expect(try #require(MethodName(rawValue: name)).description.parameters.problem(parameters) == nil)
            } else if line.hasPrefix("    < {") {
                #expect(ServerLine(parsing: String(line.dropFirst(6))) != nil, "\(line)")
            }
        }
    }
}
