// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

// The program that Scripts/fuzz runs. Only that script builds it, with instrumented libraries that allow `@testable`.
// FuzzTests in the main package runs the same harnesses without libFuzzer.
let package = Package(
    name: "fuzzing",
    dependencies: [.package(name: "earshot", path: "..")],
    targets: [
        .systemLibrary(name: "CFuzzer", path: "CFuzzer"),
        .executableTarget(
            name: "Fuzzer",
            dependencies: ["CFuzzer", .product(name: "EarshotKit", package: "earshot")],
            path: ".",
            exclude: ["CFuzzer", "Seeds"],
            sources: ["Fuzzer", "Harnesses"],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
