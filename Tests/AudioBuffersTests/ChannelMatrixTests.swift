// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media
import Testing

@Suite("ChannelMatrix")
struct ChannelMatrixTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: AudioFormat
        let target: AudioFormat
        let rows: [[Double]]

        init(_ description: String, _ source: ChannelLayout, _ target: ChannelLayout, _ rows: [[Double]]) {
            self.init(
                description, AudioFormat(channels: source.rawValue.nonzeroBitCount, source),
                AudioFormat(channels: target.rawValue.nonzeroBitCount, target), rows)
        }

        init(_ description: String, _ source: AudioFormat, _ target: AudioFormat, _ rows: [[Double]]) {
            testDescription = description
            (self.source, self.target, self.rows) = (source, target, rows)
        }
    }

    static let root = 0.5.squareRoot()
    static let surround40: ChannelLayout = [.frontLeft, .frontRight, .frontCenter, .backCenter]
    static let side51: ChannelLayout = [
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight,
    ]

    @Test(
        "Channels go to their loudspeakers, and missing loudspeakers are replaced as in BS.775",
        arguments: [
            Row("mono to stereo", .mono, .stereo, [[1], [1]]),
            Row("stereo to mono", .stereo, .mono, [[0.5, 0.5]]),
            Row("equal layouts", .surround51, .surround51, (0..<6).map { row in (0..<6).map { $0 == row ? 1 : 0 } }),
            Row("5.1 to stereo", .surround51, .stereo, [[1, 0, root, 0, root, 0], [0, 1, root, 0, 0, root]]),
            Row(
                "5.1 with side surround channels", side51, .stereo,
                [[1, 0, root, 0, root, 0], [0, 1, root, 0, 0, root]]),
            Row("5.1 to mono", .surround51, .mono, [[0.5, 0.5, root, 0, root / 2, root / 2]]),
            Row("quadraphonic to stereo", .quadraphonic, .stereo, [[1, 0, root, 0], [0, 1, 0, root]]),
            Row("a single back channel", surround40, .stereo, [[1, 0, root, 0.5], [0, 1, root, 0.5]]),
            Row(
                "a single back channel to two", surround40, .quadraphonic,
                [[1, 0, root, 0], [0, 1, root, 0], [0, 0, 0, root], [0, 0, 0, root]]),
            Row("stereo to 5.1", .stereo, .surround51, [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]]),
            Row("mono to 5.1: the centre", .mono, .surround51, [[0], [0], [1], [0], [0], [0]]),
            Row(
                "side channels to back channels", side51, .surround51,
                (0..<6).map { row in (0..<6).map { $0 == row ? 1 : 0 } }),
            Row(
                "7.1 to 5.1", .surround71, .surround51,
                [
                    [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0],
                    [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, root, 0], [0, 0, 0, 0, 0, 1, 0, root],
                ]),
            Row(
                "three channels without loudspeakers", AudioFormat(channels: 3, []), AudioFormat(channels: 2, .stereo),
                [[1, 0, 0], [0, 1, 0]]),
            Row(
                "stereo to three channels without loudspeakers", AudioFormat(channels: 2, .stereo),
                AudioFormat(channels: 3, []), [[1, 0], [0, 1], [0, 0]]),
            Row(
                "three channels without loudspeakers to mono", AudioFormat(channels: 3, []),
                AudioFormat(channels: 1, .mono), [[1.0 / 3, 1.0 / 3, 1.0 / 3]]),
            Row(
                "mono to every channel without a loudspeaker", AudioFormat(channels: 1, .mono),
                AudioFormat(channels: 3, []), [[1], [1], [1]]),
            Row(
                "a layout without left and right maps channels by number", .surround51, [.backLeft, .backRight],
                [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]]),
        ])
    func standard(row: Row) {
        let matrix = ChannelMatrix.standard(from: row.source, to: row.target)
        let expected = ChannelMatrix(rows: row.rows)
        #expect(matrix.sources == expected.sources && matrix.targets == expected.targets)
        for target in 0..<matrix.targets {
            for source in 0..<matrix.sources {
                #expect(abs(matrix[target, source] - expected[target, source]) < 1e-12, "\(target) of \(source)")
            }
        }
    }

    @Test("Mono to stereo and back is unchanged")
    func monoAndBack() throws {
        let mono = AudioFormat(channels: 1, .mono)
        let stereo = AudioFormat(channels: 2, .stereo)
        let input = AudioBufferList(format: mono, frameCapacity: 1000)
        for frame in 0..<1000 {
            input.slice.plane(0).storeBytes(of: Float(frame) / 777 - 0.6, toByteOffset: frame * 4, as: Float.self)
        }
        let across = AudioBufferList(format: stereo, frameCapacity: 1000)
        let back = AudioBufferList(format: mono, frameCapacity: 1000)

        try SampleConverter(from: mono, to: stereo).convert(input.slice, to: across.slice)
        try SampleConverter(from: stereo, to: mono).convert(across.slice, to: back.slice)

        #expect(PlainPCM(back.slice) == PlainPCM(input.slice))
    }

    @Test("A normalized matrix keeps every channel within full scale, and a quiet one is unchanged")
    func normalized() {
        let loud = ChannelMatrix(rows: [[1, -1, 2], [1, 0, 0]]).normalized
        #expect(loud == ChannelMatrix(rows: [[0.25, -0.25, 0.5], [0.25, 0, 0]]))
        let soft = ChannelMatrix(rows: [[0.5, 0.5]])
        #expect(soft.normalized == soft)
        #expect(ChannelMatrix(sources: 0, targets: 0).normalized == ChannelMatrix(rows: []))
        #expect(ChannelMatrix(rows: [[.infinity]]).normalized == ChannelMatrix(rows: [[.infinity]]))
    }

    @Test("Elements outside the matrix are zero and cannot be set")
    func bounds() {
        var matrix = ChannelMatrix(rows: [[1], [0.5, 0.25]])
        #expect((matrix.sources, matrix.targets) == (2, 2))
        matrix[2, 0] = 1
        matrix[0, -1] = 1
        #expect(matrix == ChannelMatrix(rows: [[1, 0], [0.5, 0.25]]))
        #expect(matrix[9, 9] == 0)
        #expect(ChannelMatrix.channels([1, nil, 7, -1], of: 2) == ChannelMatrix(rows: [[0, 1], [], [], []]))
        #expect(ChannelMatrix(sources: -1, targets: -1).targets == 0)
    }
}

extension AudioFormat {
    fileprivate init(channels: Int, _ layout: ChannelLayout) {
        self.init(sampleRate: 48000, channels: channels, layout: layout)
    }
}
