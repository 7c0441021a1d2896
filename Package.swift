// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

/// Settings of every Swift target: language mode 6, no silent existential, no leaked import, no warning.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// Scripts/setup sets the variable: the scripts test optimized libraries, in a third of the time. Assertions stay.
let optimization: [SwiftSetting] =
    Context.environment["EARSHOT_OPTIMIZED_LIBRARIES"] == nil
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict + optimization)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["EarshotTestSupport"], resources: resources,
        swiftSettings: strict)
}

// The targets stand in the order of the path of the sound; ARCHITECTURE.md explains each, and
// ArchitectureTests holds their imports to the table there.
let package = Package(
    name: "earshot",
    products: [
        .library(
            name: "EarshotAudio",
            targets: [
                "EarshotAudio", "Media", "AudioBuffers", "MPEGAudio", "AudioContainers", "AudioDecoding", "AudioFiles",
                "AudioProcessing", "AudioEngine", "AudioOutput",
            ]),
        .library(
            name: "EarshotKit",
            targets: [
                "Media", "AudioBuffers", "Feeds", "SQLDatabase", "EpisodeLibrary", "HTTPTransfer",
                "ProgressiveDownload", "MPEGAudio", "AudioContainers", "AudioDecoding", "AudioFiles",
                "AudioProcessing", "AudioEngine", "AudioOutput", "Playback", "Subscriptions", "EpisodeSources",
            ]),
        .executable(name: "earshot", targets: ["earshot"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // C libraries: a module map and a shim header each, installed by Scripts/setup.
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CFAAD"),
        .systemLibrary(name: "CFLAC"),
        .systemLibrary(name: "CMPG123"),
        .systemLibrary(name: "COpus"),
        .systemLibrary(name: "COpusEncoder"),
        .systemLibrary(name: "CPulse"),
        .systemLibrary(name: "CSndfile"),
        .systemLibrary(name: "CSYN123"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .systemLibrary(name: "CVorbis"),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0"),

        // Loads libcurl, libFLAC and libxml2 at their first use.
        .target(name: "CLoaders", dependencies: ["CXML2"]),
        // Leaves out the part of libdispatch that wakes every second.
        .target(name: "CDispatchRest"),
        // Returns memory to the system.
        .target(name: "CProcessMemory"),
        // Restores the terminal after a crash.
        .target(name: "CCrashRecovery"),

        library("Media"),
        library("Feeds", ["Media", "CXML2", "CLoaders"]),
        library("SQLDatabase", ["CSQLite"]),
        library("EpisodeLibrary", ["Media", "Feeds", "SQLDatabase"]),
        library("HTTPTransfer", ["Media", "CCurl", "CLoaders", logging]),
        library("ProgressiveDownload", ["Media", "HTTPTransfer", logging]),
        library("AudioBuffers", ["Media"]),
        library("MPEGAudio", ["Media"]),
        library("AudioContainers", ["Media", "MPEGAudio"]),
        library(
            "AudioDecoding",
            [
                "Media", "AudioBuffers", "MPEGAudio", "AudioContainers", "CMPG123", "CFAAD", "COpus", "CVorbis",
                "CFLAC", "CSYN123", "CLoaders",
            ]),
        library("TrackReading", ["Media", "MPEGAudio", "AudioContainers", "AudioDecoding"]),
        library(
            "AudioFiles", ["Media", "AudioBuffers", "AudioContainers", "AudioDecoding", "TrackReading", "CSndfile"]),
        library("AudioProcessing", ["Media", "AudioBuffers", "COpusEncoder"]),
        library("AudioEngine", ["Media", "AudioBuffers", "AudioFiles", "AudioProcessing"]),
        library("AudioOutput", ["Media", "AudioEngine", "CPulse", logging]),
        library(
            "EarshotAudio",
            ["Media", "AudioBuffers", "AudioDecoding", "AudioFiles", "AudioProcessing", "AudioEngine", "AudioOutput"]),
        library(
            "Playback",
            [
                "Media", "AudioBuffers", "MPEGAudio", "AudioDecoding", "TrackReading", "AudioProcessing", "AudioEngine",
                "AudioOutput", logging,
            ]),
        library("Subscriptions", ["Media", "Feeds", "EpisodeLibrary", "HTTPTransfer", logging]),
        library(
            "EpisodeSources",
            [
                "Media", "AudioFiles", "MPEGAudio", "TrackReading", "Feeds", "EpisodeLibrary", "HTTPTransfer",
                "ProgressiveDownload", "AudioProcessing", "Playback", "Subscriptions", logging,
            ]),
        library("ControlProtocol", ["Media"]),
        library("ControlSocket", ["Media", "ControlProtocol"]),
        library("DesktopBus", ["Media", "CSystemd"]),
        library(
            "TerminalInterface",
            [
                "Media", "EpisodeLibrary", "AudioFiles", "AudioProcessing", "AudioEngine", "Playback", "Subscriptions",
                "EpisodeSources", "CCrashRecovery",
            ]),
        library("Screens", ["Media", "TerminalInterface"]),
        library("FullScreen", ["Media", "EpisodeLibrary", "Playback", "TerminalInterface", "Screens"]),
        library(
            "Sessions",
            [
                "Media", "Feeds", "EpisodeLibrary", "HTTPTransfer", "ProgressiveDownload", "AudioBuffers",
                "AudioDecoding", "AudioFiles", "AudioProcessing", "AudioEngine", "AudioOutput", "Playback",
                "Subscriptions", "EpisodeSources", "TerminalInterface", "Screens", "FullScreen", "ControlProtocol",
                "ControlSocket", "DesktopBus", "CProcessMemory", logging,
            ]),
        .executableTarget(
            name: "earshot",
            dependencies: [
                "Media", "EpisodeLibrary", "ProgressiveDownload", "AudioFiles", "AudioProcessing", "Playback",
                "Subscriptions", "EpisodeSources", "TerminalInterface", "Screens", "Sessions", "CDispatchRest",
                arguments, logging,
            ],
            swiftSettings: strict),

        .target(
            name: "EarshotTestSupport",
            dependencies: [
                "HTTPTransfer", "Playback", "AudioEngine", "Media", "EpisodeLibrary", "Feeds", "SQLDatabase", logging,
            ],
            path: "Tests/EarshotTestSupport", swiftSettings: strict),
        // Writers of containers and encoders of packets.
        .target(
            name: "CodecTestSupport",
            dependencies: [
                "EarshotTestSupport", "AudioContainers", "AudioDecoding", "Media", "CFLAC", "COpus", "CVorbisEncoder",
            ],
            path: "Tests/CodecTestSupport", swiftSettings: strict + optimization,
            // The encoder; CLoaders has only the decoder.
            linkerSettings: [.linkedLibrary("FLAC")]),
        // What Scripts/fuzz runs under libFuzzer; FuzzTests runs it without.
        .target(
            name: "FuzzHarnesses",
            dependencies: [
                "Feeds", "HTTPTransfer", "ProgressiveDownload", "MPEGAudio", "AudioContainers", "AudioDecoding",
                "Media",
            ],
            path: "Fuzzing/Harnesses", swiftSettings: strict),
        tests("FuzzTests", ["FuzzHarnesses"]),
        // Serves the faults of the catalogue to programs of any kind, for Scripts/bench.
        .executableTarget(
            name: "FaultServing", dependencies: ["EarshotTestSupport"], path: "Tests/FaultServing",
            swiftSettings: strict),
        tests("MediaTests", ["Media"]),
        tests(
            "FeedsTests", ["Feeds", "Media"], resources: [.copy("Fixtures"), .copy("Dumps")]),
        tests("SQLDatabaseTests", ["SQLDatabase"]),
        tests(
            "EpisodeLibraryTests", ["EpisodeLibrary", "Feeds", "Media", "SQLDatabase"], resources: [.copy("Fixtures")]),
        tests("HTTPTransferTests", ["HTTPTransfer", "Media", logging]),
        tests("ProgressiveDownloadTests", ["ProgressiveDownload", "HTTPTransfer", "Media", logging]),
        tests("AudioBuffersTests", ["AudioBuffers", "Media"]),
        tests("MPEGAudioTests", ["MPEGAudio", "Media"]),
        tests(
            "AudioDecodingTests",
            [
                "AudioDecoding", "AudioBuffers", "AudioContainers", "MPEGAudio", "COpus", "CodecTestSupport", "Media",
            ],
            resources: [.copy("Fixtures")]),
        // The encoder of Vorbis, which only tests use.
        .systemLibrary(
            name: "CVorbisEncoder", path: "Tests/CVorbisEncoder"),
        tests("AudioContainersTests", ["AudioContainers", "CodecTestSupport", "Media"]),
        tests(
            "AudioFilesTests",
            ["AudioFiles", "AudioBuffers", "AudioDecoding", "MPEGAudio", "CodecTestSupport", "Media"]),
        tests(
            "TrackReadingTests",
            ["TrackReading", "AudioContainers", "AudioDecoding", "MPEGAudio", "CodecTestSupport", "Media"]),
        tests("AudioProcessingTests", ["AudioProcessing", "AudioBuffers", "Media"]),
        tests("AudioEngineTests", ["AudioEngine", "AudioFiles", "AudioBuffers", "Media"]),
        tests(
            "AudioOutputTests",
            ["AudioOutput", "AudioEngine", "AudioFiles", "AudioBuffers", "Media", logging]),
        tests(
            "PlaybackTests",
            [
                "Playback", "TrackReading", "AudioProcessing", "AudioOutput", "AudioEngine", "AudioDecoding",
                "MPEGAudio",
                "CodecTestSupport",
                "Media", logging,
            ]),
        tests(
            "SubscriptionsTests",
            ["Subscriptions", "EpisodeSources", "EpisodeLibrary", "HTTPTransfer", "Feeds", "Media", logging]),
        tests(
            "EpisodeSourcesTests",
            [
                "EpisodeSources", "Subscriptions", "EpisodeLibrary", "ProgressiveDownload", "AudioProcessing",
                "Playback",
                "HTTPTransfer", "Feeds", "MPEGAudio", "Media", logging,
            ]),
        tests(
            "EarshotCommandTests",
            [
                "TerminalInterface", "Sessions", "ControlProtocol", "Subscriptions", "EpisodeSources", "Playback",
                "AudioProcessing", "AudioEngine", "AudioOutput", "AudioFiles", "AudioBuffers", "EpisodeLibrary",
                "Feeds", "Media", "ControlSocket", "ControlTestSupport",
            ]),
        tests(
            "ScreensTests", ["Screens", "TerminalInterface", "Playback", "Media"], resources: [.copy("Golden")]),
        tests(
            "FullScreenTests", ["FullScreen", "Screens", "TerminalInterface", "Sessions", "EpisodeLibrary", "Media"]),
        .target(
            name: "ControlTestSupport", dependencies: ["ControlSocket", "ControlProtocol", "Media"],
            path: "Tests/ControlTestSupport", swiftSettings: strict),
        // An owner of playback in a process of its own, which tests kill.
        .executableTarget(
            name: "ControlTestOwner", dependencies: ["ControlTestSupport", "ControlSocket", "DesktopBus"],
            path: "Tests/ControlTestOwner", swiftSettings: strict),
        tests("ControlProtocolTests", ["ControlProtocol", "Media"]),
        tests(
            "ControlSocketTests",
            ["ControlSocket", "ControlProtocol", "Media", "ControlTestSupport", "ControlTestOwner"]),
        tests("DesktopBusTests", ["DesktopBus", "Media"]),
        // Manual pages and completion scripts, from the definitions of the program; Scripts/package runs the writer.
        .target(
            name: "ReferenceText", dependencies: ["Media", "EpisodeLibrary"], path: "Packaging/ReferenceText",
            swiftSettings: strict),
        .executableTarget(
            name: "ReferenceWriter", dependencies: ["ReferenceText"], path: "Packaging/ReferenceWriter",
            swiftSettings: strict),
        tests("ReferenceTextTests", ["ReferenceText", "EpisodeLibrary", "earshot", arguments]),
        tests("ArchitectureTests", []),
        // The program itself stands beside the tests' own when it is a dependency of theirs.
        tests(
            "EndToEndTests",
            [
                "earshot", "ControlSocket", "ControlProtocol", "ControlTestSupport", "CodecTestSupport",
                "EpisodeLibrary", "Feeds", "Media", "ProgressiveDownload", "SQLDatabase",
            ]),
        tests(
            "IntegrationTests",
            [
                "EpisodeSources", "Playback", "ProgressiveDownload", "HTTPTransfer", "AudioOutput", "AudioEngine",
                "Media", logging,
            ]),
    ]
)
