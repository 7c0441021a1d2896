// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// The built programs of the package Examples, with a temporary directory for their output.
struct ExampleRun {
    struct NotBuilt: Error, CustomStringConvertible {
        let program: String
        var description: String { "\(program) does not exist: Scripts/test builds the examples before the tests" }
    }

    let scratch: ScratchDirectory

    init() throws { scratch = ScratchDirectory() }

    /// The root of the package, two folders above this file's folder.
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> ProgramRun.Outcome {
        let settings = ProgramRun.plainEnvironment.merging(environment) { $1 }
        return try ProgramRun.run([Self.program(name)] + arguments, environment: settings)
    }

    static func program(_ name: String) throws -> String {
        let program = "\(root)/.build/debug/\(name)"
        guard ProgramRun.isInstalled(program) else { throw NotBuilt(program: program) }
        return program
    }

    /// Renders into a file.
    /// - Returns: the outcome and the interleaved samples.
    func render(_ name: String, _ arguments: [String]) throws -> (outcome: ProgramRun.Outcome, samples: [Float]) {
        let outcome = try run(name, arguments + ["--output", "wav:" + scratch.path("rendered.wav")])
        return (outcome, samples("rendered.wav"))
    }

    /// Plays on a sound server.
    func play(_ name: String, _ arguments: [String], on server: PulseServer) throws -> ProgramRun.Outcome {
        try run(
            name, arguments + ["--output", "pulse:\(PulseServer.sinkName)"],
            // libpulse prints an error if it has no home directory for its cookie.
            environment: ["PULSE_SERVER": server.address, "HOME": server.directory])
    }

    /// Returns the samples of a WAV file of 32-bit floats; empty if the file does not exist.
    func samples(_ name: String) -> [Float] {
        let file = scratch.read(name)
        guard let head = file.firstRange(of: Array("data".utf8)) else { return [] }
        return Self.floats(Array(file[(head.upperBound + 4)...]))
    }

    static func floats(_ bytes: [UInt8]) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 3, by: 4).map { place in
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            }
        }
    }
}

extension ProgramRun.Outcome {
    var lines: [String] { outputText.split(separator: "\n").map(String.init) }
}

/// Returns the first frame at which two stereo renderings differ by more than `tolerance`, or the length of the
/// shorter one if their lengths differ; `nil` if they are equal.
func firstDifference(_ left: [Float], _ right: [Float], beyond tolerance: Float) -> Int? {
    let place = zip(left, right).enumerated().first { abs($0.element.0 - $0.element.1) > tolerance }?.offset
    return (place ?? (left.count == right.count ? nil : min(left.count, right.count))).map { $0 / 2 }
}
