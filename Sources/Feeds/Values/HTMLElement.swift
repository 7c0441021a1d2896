// SPDX-License-Identifier: GPL-3.0-or-later

/// The elements of HTML, by their effect on the words inside.
enum HTMLElement {
    enum Kind {
        /// Within a line.
        case inline
        /// Begins a new line.
        case block
        /// Frames, forms and formulas: only the words inside are kept.
        case dropped
        /// From another vocabulary, as written by office programs: only the words inside are kept.
        case foreign
        /// The content is not for display.
        case hidden
    }

    /// - Returns: `nil` if HTML has no such element.
    static func kind(of name: HTMLName) -> Kind? {
        kinds[name] ?? (name.isPrefixed ? .foreign : nil)
    }

    private static let kinds: HTMLNameTable<Kind> = {
        var kinds = HTMLNameTable<Kind>()
        for (names, kind) in [(inline, Kind.inline), (block, .block), (dropped, .dropped), (hidden, .hidden)] {
            for name in names.split(separator: " ") { kinds.set(HTMLName(name.utf8), kind) }
        }
        return kinds
    }()

    private static let inline = """
        a abbr acronym b bdi bdo big cite code del dfn em font i img ins kbd mark q rp rt ruby s samp small span \
        strike strong sub sup time tt u var wbr
        """
    private static let block = """
        address article aside audio blockquote br caption center col colgroup dd details div dl dt figcaption figure \
        footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p picture pre section source summary table tbody td tfoot \
        th thead tr ul video
        """
    private static let dropped = """
        base basefont blink body button embed fieldset form frame frameset head html iframe input label legend link \
        marquee math meta nobr noframes noscript object optgroup option param select
        """
    private static let hidden = "annotation annotation-xml applet canvas script style svg template textarea title xml"
}
