// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioContainers
public import Media

extension AudioCodec {
    /// Creates a decoder.
    /// - Parameter format: the format of the decoded PCM, which only uncompressed PCM does not state itself.
    /// - Throws: `DecodingError.badPacket` if a header is damaged; `cannotStart`.
    public func makeDecoder(format: AudioFormat) throws(DecodingError) -> any AudioDecoder {
        switch self {
        case .aac(let config): try FAADDecoder(config: config)
        case .opus(let head): try OpusDecoder(head: head)
        case .vorbis(let identification, let setup):
            try VorbisDecoder(identification: identification, setup: setup)
        case .flac(let info): try FLACDecoder(info: info)
        case .pcm(let encoding): try PCMDecoder(encoding: encoding, format: format)
        }
    }
}
