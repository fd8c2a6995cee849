internal import JSON

/// Checks the names by which a page reaches the app; the page's script is what uses them.
enum NativeReader {
    static let bodies = ["event", "text"]

    static func read(_ value: Located) -> JSONValue? {
        guard var reader = value.object else { return nil }
        _ = reader.value("handler", required: true).flatMap(readIdentifier)
        if var android = reader.value("android")?.object {
            _ = android.value("object", required: true).flatMap(readIdentifier)
            _ = android.value("method", required: true).flatMap(readIdentifier)
            android.finish()
        }
        _ = reader.value("flutter").flatMap(readIdentifier)
        if let body = reader.value("body", required: true), let text = body.string,
            !bodies.contains(where: { $0.isSame(as: text) })
        {
            body.problems.report(.notOneOf(body, text: text, choices: bodies))
        }
        reader.finish()
        return value.node.value
    }

    static func readIdentifier(_ value: Located) -> String? {
        guard let text = value.string else { return nil }
        guard Identifier.isValid(text) else {
            value.problems.report(.notAnIdentifier(text, at: value.place))
            return nil
        }
        return text
    }
}
