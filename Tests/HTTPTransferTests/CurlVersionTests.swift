// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Testing

@Suite("CurlVersion and its known vulnerabilities")
struct CurlVersionTests {
    @Test("Versions are ordered numerically, not alphabetically")
    func order() {
        let versions = [CurlVersion(7, 88, 1), CurlVersion(8, 0, 0), CurlVersion(8, 4, 0), CurlVersion(8, 11, 1)]
        #expect(versions.sorted() == versions)
        #expect(versions.map(\.description) == ["7.88.1", "8.0.0", "8.4.0", "8.11.1"])
    }

    @Test("The version of the running library is available")
    func current() throws {
        let version = try #require(CurlVersion.current)
        #expect(version >= CurlVersion(7, 85, 0))
        #expect(CurlVersion.fullText.hasPrefix("libcurl/\(version)"))
    }

    @Test(
        "A vulnerability applies from its first affected version until its first fixed version",
        arguments: [
            (
                CurlVersion(7, 82, 0),
                ["CVE-2022-27774", "CVE-2023-23916", "CVE-2023-38545", "CVE-2023-46218", "CVE-2024-11053"]
            ),
            (CurlVersion(7, 88, 1), ["CVE-2023-38039", "CVE-2023-38545", "CVE-2023-46218", "CVE-2024-11053"]),
            (CurlVersion(8, 3, 0), ["CVE-2023-38545", "CVE-2023-46218", "CVE-2024-11053"]),
            (CurlVersion(8, 5, 0), ["CVE-2024-11053"]), (CurlVersion(8, 11, 1), []),
        ])
    func possible(version: CurlVersion, ids: [String]) {
        #expect(Advisory.possible(in: version).map(\.id) == ids)
    }
}
