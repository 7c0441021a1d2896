// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import CFAAD

/// A `NeAACDecHandle` for raw packets of one configuration, which returns Float32. Handles share no state, so each
/// thread may have its own.
struct FAADHandle: ~Copyable {
    private let raw: NeAACDecHandle

    /// What the library says about a packet.
    struct Result {
        /// The number of samples of all channels together; 0 for the first packet, which has no predecessor.
        let samples: Int
        let channels: Int
        /// True if the packet contains SBR data, or an earlier one did.
        let hasSBR: Bool
        /// The number of bytes read.
        let byteCount: Int
    }

    /// - Throws: `DecodingError.cannotStart`.
    init(_ config: AACConfig) throws(DecodingError) {
        self = try Self.opened(config)
    }

    private init(owning raw: NeAACDecHandle) { self.raw = raw }

    deinit { NeAACDecClose(raw) }

    private static func opened(_ config: AACConfig) throws(DecodingError) -> FAADHandle {
        guard let raw = NeAACDecOpen() else {
            throw .cannotStart(operation: "NeAACDecOpen", reason: "no memory")
        }
        let handle = FAADHandle(owning: raw)
        // The setter ignores this field in some versions.
        let settings = NeAACDecGetCurrentConfiguration(raw)
        settings?.pointee.outputFormat = UInt8(FAAD_FMT_FLOAT)
        settings?.pointee.dontUpSampleImplicitSBR = 1
        var bytes = config.bytes
        var (rate, channels) = (UInt(0), UInt8(0))
        let code = NeAACDecInit2(raw, &bytes, UInt(bytes.count), &rate, &channels)
        guard code == 0 else {
            throw .cannotStart(operation: "NeAACDecInit2", reason: description(UInt8(bitPattern: code)))
        }
        return handle
    }

    /// Decodes one raw_data_block, with which the bytes begin.
    /// - Parameter pcm: receives interleaved samples. libfaad2 rejects packets that decode to more than fit; with its
    ///   own buffer it would write past the end if SBR begins in the middle of a stream.
    /// - Returns: `nil` if the library rejects the packet; its state is then undefined.
    func decode(_ packet: UnsafeRawBufferPointer, into pcm: UnsafeMutableBufferPointer<Float>) -> Result? {
        guard let bytes = packet.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        var info = NeAACDecFrameInfo()
        var buffer = UnsafeMutableRawPointer(pcm.baseAddress)
        let size = UInt(pcm.count * MemoryLayout<Float>.stride)
        let output = NeAACDecDecode2(
            raw, &info, UnsafeMutablePointer(mutating: bytes), UInt(packet.count), &buffer, size)
        guard output != nil, info.error == 0, info.samples <= pcm.count else { return nil }
        return Result(
            samples: Int(info.samples), channels: Int(info.channels), hasSBR: info.sbr != NO_SBR,
            byteCount: Int(info.bytesconsumed))
    }

    private static func description(_ code: UInt8) -> String {
        NeAACDecGetErrorMessage(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
