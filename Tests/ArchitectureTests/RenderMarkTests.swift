// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

/// Checks that the watchdog sees all renders: they are marked, and the tests that render run under it.
@Suite("Watched renders")
struct RenderMarkTests {
    /// Files whose own render method has another name and calls the `render` of other types.
    static let within: Set<String> = [
        // `Mixer.render` calls each input to mix its samples.
        "Sources/AudioEngine/Mixing/MixerInput.swift",
        "Sources/AudioEngine/Graph/RenderMark.swift",
    ]

    @Test("Code outside of sources renders through a mark", arguments: SourceTree.sources)
    func marked(file: SourceTree.File) {
        let isSource = file.text.contains("func render(into ")
        #expect(isSource || Self.within.contains(file.path) || !file.text.contains(".render(into:"))
    }

    @Test("The tests of every target that uses a source or a sink run under the watchdog")
    func watched() throws {
        let parts: Set = ["AudioEngine", "AudioOutput"]
        let knowing = SourceTree.tests.filter { !parts.isDisjoint(with: $0.imports) }
        let targets = Set(knowing.map(\.target)).subtracting(["EarshotTestSupport"])
        let script = try #require(SourceTree.text(of: "Scripts/test"))
        let watched = script.matches(of: /\[(\w+Tests)\]=\d+/).map { String($0.1) }
        #expect(targets == Set(watched))
    }
}
