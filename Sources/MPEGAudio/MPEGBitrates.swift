// SPDX-License-Identifier: GPL-3.0-or-later

/// The bit rates of MPEG audio headers in kbit/s, by their 4-bit index; index 0 is free format, 15 is forbidden.
///
/// Source: ISO/IEC 11172-3 §2.4.2.3 and 13818-3 §2.4.2.3, tables of `bitrate_index`.
enum MPEGBitrates {
    static func kilobits(_ version: MPEGFrameHeader.Version, _ layer: MPEGFrameHeader.Layer) -> [Int] {
        switch (version, layer) {
        case (.mpeg1, .i): mpeg1Layer1
        case (.mpeg1, .ii): mpeg1Layer2
        case (.mpeg1, .iii): mpeg1Layer3
        case (_, .i): lowLayer1
        case (_, .ii), (_, .iii): lowLayers2And3
        }
    }

    private static let mpeg1Layer1 = [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    private static let mpeg1Layer2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    private static let mpeg1Layer3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowLayer1 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    private static let lowLayers2And3 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}
