// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the manual pages and completion scripts:
//   earshot --experimental-dump-help | ReferenceWriter FOLDER docs/protocol.md VERSION DATE
import Glibc
import ReferenceText

func fail(_ message: String) -> Never {
    let line = Array("ReferenceWriter: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(65)
}

func text(of path: String) -> String {
    guard let stream = fopen(path, "r") else { fail("cannot read \"\(path)\"") }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

func store(_ text: String, at path: String) {
    guard let file = fopen(path, "w") else { fail("cannot create \"\(path)\"") }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else { fail("cannot write \"\(path)\"") }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 4 else { fail("usage: ReferenceWriter FOLDER PROTOCOL.md VERSION DATE") }
let protocolDocument = text(of: arguments[1])
guard let root = HelpCommand(dump: text(of: "/dev/stdin")) else {
    fail("standard input is not the help of earshot as JSON")
}
for folder in ["man1", "man5", "man7", "completions"] { mkdir(arguments[0] + "/" + folder, 0o755) }
let release = Release(version: arguments[2], date: arguments[3])
for file in ReferenceFiles.all(root, protocolDocument: protocolDocument, release) {
    store(file.text, at: arguments[0] + "/" + file.path)
}
