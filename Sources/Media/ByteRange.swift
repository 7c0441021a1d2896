// SPDX-License-Identifier: GPL-3.0-or-later

/// A half-open range of byte offsets, counted from the first byte of an enclosure.
public typealias ByteRange = Range<Int64>
