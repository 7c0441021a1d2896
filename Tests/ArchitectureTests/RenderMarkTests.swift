// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// What the watchdog sees: renders that are marked, in tests that run under it.
@Suite("Renders are watched")
struct RenderMarkTests {
    /// Files that call others' `render` within their own, which goes by another name.
    static let within: Set<String> = [
        // `Mixer.render` asks each input to mix itself.
        "Sources/AudioEngine/Mixing/MixerInput.swift",
        "Sources/AudioEngine/Graph/RenderMark.swift",
    ]

    @Test("whoever is no source itself renders by a mark", arguments: SourceTree.sources)
    func marked(file: SourceTree.File) {
        let isSource = file.text.contains("func render(into ")
        #expect(isSource || Self.within.contains(file.path) || !file.text.contains(".render(into:"))
    }

    @Test("the tests of every target that knows a source or a sink run under the watchdog")
    func watched() {
        let parts: Set = ["AudioEngine", "AudioOutput"]
        let knowing = SourceTree.tests.filter { !parts.isDisjoint(with: $0.imports) }
        let targets = Set(knowing.map(\.target)).subtracting(["EarshotTestSupport"])
        #expect(targets == Set(WatchedTests.all.map(\.target)))
    }
}
