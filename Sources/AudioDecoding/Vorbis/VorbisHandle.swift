// SPDX-License-Identifier: GPL-3.0-or-later
import CVorbis

/// The four structures of a libvorbis decoder, at fixed addresses because they refer to each other.
struct VorbisHandle: ~Copyable {
    private let info: UnsafeMutablePointer<vorbis_info>
    private let state: UnsafeMutablePointer<vorbis_dsp_state>
    private let block: UnsafeMutablePointer<vorbis_block>

    /// - Throws: `DecodingError.badPacket`, `cannotStart`.
    init(identification: [UInt8], setup: [UInt8]) throws(DecodingError) {
        self.init()
        try readHeaders(identification, setup)
        // libvorbis builds its decoding tables here, and checks them.
        guard vorbis_synthesis_init(state, info) == 0 else {
            throw .badPacket(reason: "the Vorbis setup header is damaged")
        }
        guard vorbis_block_init(state, block) == 0 else {
            throw .cannotStart(operation: "vorbis_block_init", reason: "no memory")
        }
    }

    private init() {
        info = .allocate(capacity: 1)
        state = .allocate(capacity: 1)
        block = .allocate(capacity: 1)
        info.initialize(to: vorbis_info())
        state.initialize(to: vorbis_dsp_state())
        block.initialize(to: vorbis_block())
        vorbis_info_init(info)
    }

    deinit {
        // Each of the functions accepts a structure of zeros.
        vorbis_block_clear(block)
        vorbis_dsp_clear(state)
        vorbis_info_clear(info)
        block.deallocate()
        state.deallocate()
        info.deallocate()
    }

    /// An empty comment header. libvorbis requires one, and would keep a copy of the stream's own, which may contain
    /// pictures.
    private static let comment: [UInt8] = [3] + Array("vorbis".utf8) + [0, 0, 0, 0] + [0, 0, 0, 0] + [1]

    private func readHeaders(_ identification: [UInt8], _ setup: [UInt8]) throws(DecodingError) {
        var comments = vorbis_comment()
        vorbis_comment_init(&comments)
        defer { vorbis_comment_clear(&comments) }
        for (number, header) in [identification, Self.comment, setup].enumerated() {
            let code = header.withUnsafeBytes { bytes in
                var packet = ogg_packet(bytes)
                packet.packetno = Int64(number)
                packet.b_o_s = number == 0 ? 1 : 0
                return vorbis_synthesis_headerin(info, &comments, &packet)
            }
            guard code == 0 else { throw .badPacket(reason: "Vorbis header \(number + 1) is damaged") }
        }
    }

    /// Decodes one packet.
    /// - Parameter body: receives the planes and the number of PCM frames, and returns its result; not called if there
    ///   are none.
    /// - Returns: the result of `body`; 0 without PCM frames; `nil` for a damaged packet.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, Int) -> Int
    ) -> Int? {
        var packet = ogg_packet(bytes)
        guard !bytes.isEmpty, vorbis_synthesis(block, &packet) == 0, vorbis_synthesis_blockin(state, block) == 0 else {
            return nil
        }
        var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
        let frames = vorbis_synthesis_pcmout(state, &planes)
        guard frames > 0, let planes else { return 0 }
        defer { vorbis_synthesis_read(state, frames) }
        return body(planes, Int(frames))
    }

    /// Discards the previous block.
    func reset() { vorbis_synthesis_restart(state) }
}

extension ogg_packet {
    /// A packet that refers to the bytes, of unknown position.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init()
        packet = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        self.bytes = bytes.count
        granulepos = -1
    }
}
