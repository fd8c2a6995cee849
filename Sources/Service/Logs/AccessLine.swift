internal import HTTP
internal import Server
internal import System
internal import TLS

/// Writes the lines of an access log, one for each answer.
struct AccessLine {
    let format: LogSettings.Format
    let hasQueries: Bool
    /// Whom answers belong to; asked again when a number is new.
    let labels: AnswerLabels

    private var known: [AnswerLabels.Label] = []
    private var second = Int.min
    private var date: [UInt8] = []

    init(format: LogSettings.Format, hasQueries: Bool, labels: AnswerLabels) {
        self.format = format
        self.hasQueries = hasQueries
        self.labels = labels
    }

    /// Appends the line of a record, with its line end; it has less than ``System/LogOutput/atomicCount`` bytes.
    mutating func append(_ record: RequestRecord, _ texts: [UInt8], to line: inout [UInt8]) {
        updateDate(record.time)
        let parts = Parts(record, texts, hasQueries: hasQueries)
        switch format {
        case .text: appendCombined(record, parts, to: &line)
        case .json: appendJSON(record, parts, to: &line)
        }
        line.append(0x0A)
    }

    private mutating func updateDate(_ milliseconds: Int) {
        guard milliseconds / 1_000 != second else { return }
        second = milliseconds / 1_000
        date = format == .json ? LogDate.rfc3339(second) : LogDate.common(second)
    }

    private mutating func label(_ number: UInt32) -> AnswerLabels.Label {
        if Int(number) >= known.count { known = labels.all }
        return Int(number) < known.count ? known[Int(number)] : AnswerLabels.Label()
    }

    // MARK: Combined

    private func appendCombined(_ record: RequestRecord, _ parts: Parts, to line: inout [UInt8]) {
        line += parts.client
        line += " - - [".utf8
        line += date
        line += "] \"".utf8
        if let method = record.method {
            line += "\(method.name) ".utf8
            LogText.appendCombined(parts[.path], limit: Parts.longestPath, to: &line)
            line += " HTTP/1.\(record.minorVersion)".utf8
        } else {
            line.append(UInt8(ascii: "-"))
        }
        line += "\" \(record.status) \(record.contentBytes == 0 ? "-" : "\(record.contentBytes)")".utf8
        appendQuoted(parts[.referer], to: &line)
        appendQuoted(parts[.userAgent], to: &line)
    }

    private func appendQuoted(_ text: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line += " \"".utf8
        if text.isEmpty { line.append(UInt8(ascii: "-")) }
        LogText.appendCombined(text, limit: Parts.longestText, to: &line)
        line.append(UInt8(ascii: "\""))
    }

    // MARK: JSON

    private mutating func appendJSON(_ record: RequestRecord, _ parts: Parts, to line: inout [UInt8]) {
        let label = label(record.label)
        line += "{\"time\":\"".utf8
        line += date
        line += LogDate.fraction(record.time % 1_000)
        line.append(UInt8(ascii: "\""))
        append("requestID", parts[.id], to: &line)
        append("client", parts.client[...], to: &line)
        if let method = record.method {
            append("method", Array("\(method.name)".utf8)[...], to: &line)
            append("host", parts[.host], to: &line)
            append("path", parts[.path], limit: Parts.longestPath, to: &line)
        }
        line +=
            ",\"status\":\(record.status),\"bytes\":\(record.bytes),\"duration\":\(Self.seconds(record.duration))".utf8
        append("tenant", Array(label.tenant.utf8)[...], to: &line)
        append("bridge", Array(label.bridge.utf8)[...], to: &line)
        if let version = record.tlsVersion { append("tls", Array(version.number.utf8)[...], to: &line) }
        append("userAgent", parts[.userAgent], to: &line)
        append("referrer", parts[.referer], to: &line)
        line.append(UInt8(ascii: "}"))
    }

    /// A member; nothing for a text that the request did not have.
    private func append(
        _ name: String,
        _ text: ArraySlice<UInt8>,
        limit: Int = Parts.longestText,
        to line: inout [UInt8]
    ) {
        guard !text.isEmpty else { return }
        line += ",\"\(name)\":\"".utf8
        LogText.appendJSON(text, limit: limit, to: &line)
        line.append(UInt8(ascii: "\""))
    }

    /// Nanoseconds as seconds with six decimals.
    private static func seconds(_ nanoseconds: Int) -> String {
        let microseconds = nanoseconds / 1_000
        let decimals = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - decimals.count))\(decimals)"
    }
}

/// A record's texts, taken apart.
private struct Parts {
    /// The most bytes that a path has in a line, and any other text.
    static let longestPath = 1_024
    static let longestText = 512

    let client: [UInt8]
    private var slices: [ArraySlice<UInt8>] = []

    init(_ record: RequestRecord, _ texts: [UInt8], hasQueries: Bool) {
        var offset = 0
        for text in RequestRecord.Texts.allCases {
            let end = offset + Int(record.lengths[text.rawValue])
            slices.append(texts[offset..<end])
            offset = end
        }
        let peer = slices[RequestRecord.Texts.peer.rawValue]
        client = Array((SocketAddress(bytes: Array(peer).span, port: 0)?.host ?? "-").utf8)
        let referer = RequestRecord.Texts.referer.rawValue
        if !hasQueries { slices[referer] = LogText.withoutSecrets(slices[referer]) }
    }

    subscript(_ text: RequestRecord.Texts) -> ArraySlice<UInt8> { slices[text.rawValue] }
}
