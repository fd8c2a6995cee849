extension JSONReader {
    /// Reads a file's text and reports all that is wrong with its form.
    ///
    /// - Returns: the document's root, or nil when it is not JSON. With a repeated key the root is returned as well, so that
    ///   other problems are found in the same run; the file still has an error.
    public static func root(of bytes: [UInt8], file: String, problems: ProblemCollector) -> Located? {
        do {
            let document = try read(bytes)
            problems.report(document.duplicates.map { .duplicateKey($0, file: file) })
            return Located(root: document.root, file: file, problems: problems)
        } catch {
            problems.report(.syntax(error, file: file))
            return nil
        }
    }
}
