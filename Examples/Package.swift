// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]
let engine: Target.Dependency = .product(name: "EarshotAudio", package: "earshot")

func example(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: ["Playing", engine], swiftSettings: strict)
}

// Example programs that play, record and schedule sound with the library. Start reading at the main file of a target.
let package = Package(
    name: "examples",
    dependencies: [
        .package(name: "earshot", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // The common parts of the programs: their arguments, and the output of their sound.
        .target(
            name: "Playing", dependencies: [engine, .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict),
        // The programs in docs/audio-engine.md, word for word.
        .executableTarget(name: "FirstSound", dependencies: [engine], swiftSettings: strict),
        .executableTarget(name: "FilePlayer", dependencies: [engine], swiftSettings: strict),
        example("Metronome"),
        example("SamplerKeys"),
        example("RegionPlaylist"),
        example("Recorder"),
    ]
)
