// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Glibc
import ReferenceText
import Testing

@Suite("Manual pages and completion scripts")
struct PageTests {
    /// Two commands in the form of `--experimental-dump-help`.
    private static let dump = #"""
        {"serializationVersion": 0, "command": {"commandName": "earshot", "abstract": "Play.", "subcommands": [
          {"commandName": "secret", "abstract": "Hidden.", "shouldDisplay": false},
          {"commandName": "play", "abstract": "Play an episode.", "shouldDisplay": true,
           "discussion": "A 'name' is\na title.\n\nFor example:\n  earshot play \"a b\" \\\n  .hidden",
           "arguments": [
             {"kind": "positional", "valueName": "target", "isOptional": true, "isRepeating": true,
              "shouldDisplay": true},
             {"kind": "option", "valueName": "level", "abstract": "The level. (default: off)", "shouldDisplay": true,
              "names": [{"kind": "short", "name": "t"}, {"kind": "long", "name": "trim-silence"}]}]}]}}
        """#

    private func files(_ dump: String = Self.dump) throws -> [String: String] {
        let root = try #require(HelpCommand(dump: dump))
        let files = ReferenceFiles.all(
            root,
            protocolDocument: "# Title\n\nText\nof a paragraph.\n\n## Lines\n\n| a | b |\n|---|---|\n| `x` | y |\n",
            Release(version: "1.2.3", date: "2026-01-02"))
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
    }

    @Test("A page has the name, synopsis, options and examples of its command")
    func page() throws {
        let page = try #require(try files()["man1/earshot-play.1"])
        #expect(page.contains(".TH EARSHOT\\-PLAY 1 2026-01-02 \"earshot 1.2.3\" \"Earshot\"\n"))
        #expect(page.contains("earshot\\-play \\- play an episode\n"))
        #expect(page.contains("\\fBearshot play\\fR [\\fIoptions\\fR] [\\fItarget\\fR...]\n"))
        #expect(page.contains("\\fB\\-\\-trim\\-silence\\fR, \\fB\\-t\\fR \\fIlevel\\fR\nThe level. (default: off)\n"))
        #expect(page.contains(".SH EXAMPLES\n"))
    }

    @Test("Text that roff would interpret is escaped")
    func escapes() throws {
        let page = try #require(try files()["man1/earshot-play.1"])
        #expect(page.contains("A \\(aqname\\(aq is a title.\n"))
        #expect(page.contains("earshot play \\(dqa b\\(dq \\e\n\\&.hidden\n"))
    }

    @Test("A hidden command has no page and no completion")
    func hidden() throws {
        for (path, text) in try files() { #expect(!path.contains("secret") && !text.contains("secret")) }
    }

    @Test("`help` completes to the commands, and `help queue` to those of `queue`")
    func helpWords() throws {
        let script = try #require(
            try files(
                #"""
                {"command": {"commandName": "earshot", "subcommands": [
                  {"commandName": "queue", "subcommands": [{"commandName": "add"}]},
                  {"commandName": "help", "arguments": [{"kind": "positional", "valueName": "subcommands"}]}]}}
                """#)["completions/earshot"])
        #expect(script.contains("    'help')\n        commands='queue'\n        options=''\n        arguments='' ;;\n"))
        #expect(script.contains("    'help queue')\n        commands='add'\n"))
    }

    @Test("The output of a service completes to those that it accepts")
    func serviceOutput() throws {
        let script = try #require(
            try files(
                #"""
                {"command": {"commandName": "earshot", "subcommands": [{"commandName": "serve", "arguments": [
                  {"kind": "option", "names": [{"kind": "long", "name": "output"}], "valueName": "output"}]}]}}
                """#)["completions/earshot"])
        #expect(script.contains("options='--output=pulse,null'\n"))
    }

    @Test("earshot-settings(5) names each setting", arguments: SettingKey.allCases)
    func settings(key: SettingKey) throws {
        let page = try #require(try files()["man5/earshot-settings.5"])
        #expect(page.contains(".TP\n\\fB\(key.rawValue.replacing("-", with: "\\-"))\\fR\n"))
    }

    @Test(
        "earshot(1) says where each folder is, and which variable moves it",
        arguments: ["DATA_HOME", "STATE_HOME", "CONFIG_HOME", "CACHE_HOME", "RUNTIME_DIR"])
    func folders(name: String) throws {
        let page = try #require(try files()["man1/earshot.1"])
        #expect(page.contains(".TP\n\\fI$XDG_\(name)/earshot"))
        #expect(page.contains(".TP\n\\fIXDG_\(name)\\fR\n"))
    }

    @Test("earshot-protocol(7) has the sections, paragraphs and tables of the document")
    func protocolPage() throws {
        let page = try #require(try files()["man7/earshot-protocol.7"])
        #expect(page.contains(".SH DESCRIPTION\nText of a paragraph.\n.SH LINES\n.TP\n\\fBx\\fR\ny\n"))
    }

    @Test(
        "The shells accept the scripts",
        arguments: [("bash", "earshot"), ("zsh", "_earshot"), ("fish", "earshot.fish")])
    func syntax(shell: String, file: String) throws {
        // A shell that is not installed cannot check its script.
        guard ["/bin/", "/usr/bin/"].contains(where: { access($0 + shell, X_OK) == 0 }) else { return }
        let scratch = ScratchDirectory()
        _ = try scratch.write(Array(try #require(try files()["completions/" + file]).utf8), to: "script")
        let outcome = try ProgramRun([shell, "-n", scratch.path("script")]).wait()
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("The help of the program becomes a page without warnings for each command")
    func program() throws {
        let dump = try ProgramRun([Self.program, "--experimental-dump-help"]).wait()
        let root = try #require(HelpCommand(dump: dump.outputText))
        #expect(root.tree.count > 40)
        for command in root.tree {
            for argument in command.arguments where argument.kind != .flag {
                #expect(
                    ReferenceFiles.hasSource(argument, of: command),
                    "CompletionSource has no row for \(argument.names.first ?? argument.valueName) of \(command.name)")
            }
        }
        guard access("/usr/bin/mandoc", X_OK) == 0 else { return }
        let scratch = ScratchDirectory()
        for file in ReferenceFiles.all(root, protocolDocument: "", Release(version: "1.2.3", date: "2026-01-02"))
        where file.path.hasPrefix("man") {
            _ = try scratch.write(Array(file.text.utf8), to: "page")
            let outcome = try ProgramRun(["mandoc", "-Tlint", "-Wwarning", scratch.path("page")]).wait()
            #expect(outcome.status == 0, "\(file.path): \(outcome.outputText)")
        }
    }

    /// The built program, beside the tests.
    private static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/earshot"
    }()
}
