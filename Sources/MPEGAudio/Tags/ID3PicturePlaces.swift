// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The places in a file of the pictures inside the frames of a tag.
struct ID3PicturePlaces {
    /// The file offset of the tag.
    private let offset: Int64
    /// The places in a tag that is unsynchronized as a whole.
    private var tag: StuffedPlaces?

    init(_ tag: ID3v2Tag, at offset: Int64) {
        self.offset = offset
        self.tag = tag.stuffed.map { StuffedPlaces($0) }
    }

    /// Returns the place of a picture. Later calls must ask for later chapters.
    ///
    /// - Parameters:
    ///   - frame: the frame of the picture.
    ///   - chapter: the frame that contains it.
    /// - Returns: `nil` if both frames are unsynchronized, one inside the other.
    mutating func picture(
        _ picture: ID3Picture, of frame: ID3v2Frames.Frame, in chapter: ID3v2Frames.Frame
    ) -> StoredPicture? {
        var place = picture.bytes.startIndex..<picture.bytes.endIndex
        switch (frame.stuffed, chapter.stuffed) {
        case (nil, nil): if let range = tag?.range(of: place) { place = range }
        case (let stuffed?, nil), (nil, let stuffed?):
            var places = StuffedPlaces(stuffed)
            place = places.range(of: place)
        case (.some, .some): return nil
        }
        return StoredPicture(
            range: offset &+ Int64(place.lowerBound)..<offset &+ Int64(place.upperBound),
            mimeType: AudioMetadata.Artwork.mediaType(of: picture.bytes) ?? picture.mimeType,
            isUnsynchronized: tag != nil || frame.stuffed != nil || chapter.stuffed != nil)
    }
}

/// A cursor that converts places in bytes without unsynchronization to places in the bytes that the file has.
private struct StuffedPlaces {
    private let stuffed: ArraySlice<UInt8>
    /// A place in the file's bytes, and the number of bytes before it without unsynchronization.
    private var (place, count): (Int, Int)

    /// - Parameter stuffed: the bytes as the file has them, in which zeros are inserted.
    init(_ stuffed: ArraySlice<UInt8>) {
        self.stuffed = stuffed
        (place, count) = (stuffed.startIndex, 0)
    }

    /// Returns the range in `stuffed` of these bytes of the result of `resynchronized`, which must not begin before
    /// the end of the previous ones: all calls together read the bytes once.
    mutating func range(of bytes: Range<Int>) -> Range<Int> {
        let start = place(of: bytes.lowerBound)
        return start..<place(of: bytes.upperBound)
    }

    private mutating func place(of index: Int) -> Int {
        while count < index, place < stuffed.endIndex {
            let isFollowedByZero = place + 1 < stuffed.endIndex && stuffed[place + 1] == 0
            place += stuffed[place] == 0xFF && isFollowedByZero ? 2 : 1
            count += 1
        }
        return place
    }
}
