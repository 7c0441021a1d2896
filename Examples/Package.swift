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

// What a program of one's own looks like that plays, records and schedules sound: start reading at its main file.
let package = Package(
    name: "examples",
    dependencies: [
        .package(name: "earshot", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // What all of them do alike: the words they are started with, and where their sound goes.
        .target(
            name: "Playing", dependencies: [engine, .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict),
        // Those of docs/audio-engine.md, word for word.
        .executableTarget(name: "FirstSound", dependencies: [engine], swiftSettings: strict),
        .executableTarget(name: "FilePlayer", dependencies: [engine], swiftSettings: strict),
        example("Metronome"),
        example("SamplerKeys"),
        example("RegionPlaylist"),
        example("Recorder"),
    ]
)
