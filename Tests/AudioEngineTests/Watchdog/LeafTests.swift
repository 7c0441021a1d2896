// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// The compiler enforces the annotations; these tests check that they are present.
@Suite("Leaf functions of the render path") struct LeafTests {
    /// The functions of each file that run on the realtime thread and make only calls that the compiler can check.
    static let leaves: [String: [String]] = [
        "Graph/GainRamp.swift": ["apply", "step", "scale"],
        "Ring/PCMRing.swift": ["render", "advance", "finish", "contains"],
        "Ring/PCMRingStorage.swift": ["copyIn", "copyOut", "copySamples"],
        "Ring/RingPositions.swift": ["hasRoom", "hasElement", "didWrite", "didRead", "slot"],
        "Mixing/MixKernels.swift": ["addStereo", "addMono"],
        "Mixing/LinearRamp.swift": ["move", "next", "hasArrived"],
        "Mixing/MixerStrip.swift": ["setAudible", "begin", "addSteady", "place"],
        "Mixing/ParameterChange.swift": ["insert", "framesUntilNext", "removeDue"],
        "Mixing/Meter.swift": ["measure", "sum", "sumStereo", "publish", "add"],
        "Realtime/BlockRing.swift": ["write", "copy", "removeFront"],
        "Time/EventHeap.swift": [
            "precedes", "contains", "insert", "removeFirst", "remove", "sift", "put", "rise", "sink",
        ],
        "Time/SliceTimer.swift": ["begin", "correct", "hostTime"],
        "Time/GraphClock.swift": ["note"],
        "Time/AudioTimeStamp.swift": ["sampleTime"],
        "Streaming/RetractableRing.swift": ["read"],
        "Streaming/StopFade.swift": ["apply"],
        "Streaming/StreamingSource.swift": ["pull"],
        "Recording/RecordingRing.swift": ["push", "append", "drop"],
        "Recording/GapQueue.swift": ["push"],
        "Recording/RecordingTap.swift": ["recordedPart"],
    ]

    private static func lines(of file: String) -> [Substring] {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let text = String(decoding: ScratchDirectory.bytes(of: root + "/Sources/AudioEngine/" + file), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(
        "Each leaf function is annotated, so that a lock or an allocation in it does not compile",
        arguments: leaves.keys.sorted())
    func annotated(file: String) throws {
        let lines = Self.lines(of: file)
        for name in try #require(Self.leaves[file]) {
            let places = lines.indices.filter { lines[$0].contains("func \(name)(") }
            #expect(!places.isEmpty, "\(name) is not in \(file)")
            for place in places where place > 0 {
                #expect(lines[place - 1].contains("@_noLocks @_noAllocation"), "\(name) in \(file)")
            }
        }
    }
}
