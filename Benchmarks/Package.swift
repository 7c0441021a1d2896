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
let earshot: [Target.Dependency] = [
    .product(name: "EarshotKit", package: "earshot"), .product(name: "Logging", package: "swift-log"),
]
let engine: [Target.Dependency] = [.product(name: "EarshotAudio", package: "earshot")]

// The programs that Scripts/bench measures from within: they use the library like any external program.
let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "earshot", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "Measuring", dependencies: earshot, swiftSettings: strict),
        .executableTarget(name: "AlignmentCost", dependencies: ["Measuring"] + earshot, swiftSettings: strict),
        .executableTarget(name: "BufferingRegret", dependencies: ["Measuring"] + earshot, swiftSettings: strict),
        // The same sums in C, for EngineCost.
        .target(name: "CEngineBaseline", cSettings: [.unsafeFlags(["-O3"])]),
        .executableTarget(
            name: "EngineCost", dependencies: ["Measuring", "CEngineBaseline"] + engine, swiftSettings: strict),
        .executableTarget(name: "FeedRefresh", dependencies: ["Measuring"] + earshot, swiftSettings: strict),
        .executableTarget(name: "FeedStream", dependencies: ["Measuring"] + earshot, swiftSettings: strict),
        .executableTarget(name: "SeekLatency", dependencies: ["Measuring"] + earshot, swiftSettings: strict),
        .executableTarget(name: "SeekSoak", dependencies: ["Measuring"] + earshot, swiftSettings: strict),
        .executableTarget(name: "StreamingCost", dependencies: ["Measuring"] + engine, swiftSettings: strict),
        // Loops in C and calls to libraries, compared with the vector operations.
        .target(
            name: "CVectorBaseline", cSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("sndfile"), .linkedLibrary("syn123"), .linkedLibrary("m")]),
        .executableTarget(
            name: "VectorCost",
            dependencies: ["CVectorBaseline", .product(name: "EarshotAudio", package: "earshot")],
            swiftSettings: strict),
        // A loop in C, compared with the voices; SDL2_mixer is loaded at run time.
        .target(
            name: "CVoiceBaseline", cSettings: [.unsafeFlags(["-O3"])], linkerSettings: [.linkedLibrary("dl")]),
        .executableTarget(
            name: "VoiceCost", dependencies: ["CVoiceBaseline", .product(name: "EarshotAudio", package: "earshot")],
            swiftSettings: strict),
        // Reading files with libsndfile and libmpg123 only, compared with AudioFiles.
        .target(
            name: "CFileBaseline", cSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("sndfile"), .linkedLibrary("mpg123")]),
        .executableTarget(
            name: "FileReading",
            dependencies: ["CFileBaseline", .product(name: "EarshotAudio", package: "earshot")],
            swiftSettings: strict),
    ]
)
