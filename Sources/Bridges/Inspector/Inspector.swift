public import JSON

/// Shows bridge pages to the developer of an app: each in a frame, with a script in it that plays the app.
///
/// For development alone: the variant of a page that it frames is one that other pages of its origin can read.
public struct Inspector: Sendable {
    /// A page of the inspector itself.
    public struct View: Sendable {
        /// The page.
        public let body: [UInt8]
        /// The value of `Content-Security-Policy`.
        public let contentSecurityPolicy: String
    }

    private let template: PageTemplate
    /// The script that plays the app.
    private let app: [UInt8]

    /// Reads its files; nil when one is missing or broken, which is reported.
    static func read(
        from directory: String,
        problems: ProblemCollector,
        files known: KnownFiles = KnownFiles()
    ) -> Inspector? {
        let files = PageFiles(directory: directory, files: known)
        let template = files.read("inspect.html", allowsInlineStyles: false, mention: nil, problems: problems)
        let app = files.readScript("inspect-app.js", problems: problems)
        guard let template, let app else { return nil }
        return Inspector(template: template, app: app)
    }

    private init(template: PageTemplate, app: [UInt8]) {
        self.template = template
        self.app = app
    }

    /// Its page with what it shows; it may frame pages of its own origin and do nothing else.
    public func view(of data: JSONValue) -> View {
        var policy = Policy.locked
        for hash in template.scriptHashes { policy.allow(hash, in: .scriptSrc) }
        for hash in template.styleHashes { policy.allow(hash, in: .styleSrc) }
        policy.allow("'self'", in: .frameSrc)
        return View(body: template.head + data.bytes + template.tail, contentSecurityPolicy: policy.text)
    }

    /// A page as it stands in the frame.
    ///
    /// The script that plays the app comes before all others, and its policies allow that script and their own origin as
    /// ancestor. Nothing else differs.
    public func framed(_ page: Page) -> Page {
        let place = PageBundle.place(in: page.head).offset
        let element = Array("<script>".utf8) + app + Array("</script>".utf8)
        return Page(
            name: page.name,
            head: page.head[..<place] + element + page.head[place...],
            data: page.data,
            tail: page.tail,
            contentSecurityPolicy: framed(page.contentSecurityPolicy),
            reportOnlyPolicy: page.reportOnlyPolicy.map(framed),
            permissionsPolicy: page.permissionsPolicy,
            reportPath: page.reportPath
        )
    }

    private func framed(_ text: String) -> String {
        var policy = Policy(text: text)
        policy.allow(PageTemplate.source(hashing: app), in: .scriptSrc)
        policy.allow("'self'", in: .frameAncestors)
        return policy.text
    }
}
