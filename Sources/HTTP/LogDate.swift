/// A time as logs have it, in UTC.
public enum LogDate {
    /// `2026-11-30T11:03:32`, the beginning of what RFC 3339 §5.6 has, for seconds since 1970.
    public static func rfc3339(_ seconds: Int) -> [UInt8] {
        let (year, month, day) = date(seconds)
        var bytes: [UInt8] = []
        HTTPDate.append(year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        HTTPDate.append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        HTTPDate.append(day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        appendTime(seconds, to: &bytes)
        return bytes
    }

    /// `.085Z`, its end.
    public static func fraction(_ milliseconds: Int) -> [UInt8] {
        var bytes = [UInt8(ascii: ".")]
        HTTPDate.append(milliseconds, digits: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
        return bytes
    }

    /// `30/Nov/2026:11:03:32 +0000`, as the Common Log Format has it.
    public static func common(_ seconds: Int) -> [UInt8] {
        let (year, month, day) = date(seconds)
        var bytes: [UInt8] = []
        HTTPDate.append(day, digits: 2, to: &bytes)
        HTTPDate.append("/\(HTTPDate.months[month - 1])/", to: &bytes)
        HTTPDate.append(year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendTime(seconds, to: &bytes)
        HTTPDate.append(" +0000", to: &bytes)
        return bytes
    }

    private static func date(_ seconds: Int) -> (year: Int, month: Int, day: Int) {
        HTTPDate.civil(days: HTTPDate.floorDivide(seconds, 86_400))
    }

    private static func appendTime(_ seconds: Int, to bytes: inout [UInt8]) {
        let second = seconds - HTTPDate.floorDivide(seconds, 86_400) * 86_400
        HTTPDate.append(second / 3_600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        HTTPDate.append(second / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        HTTPDate.append(second % 60, digits: 2, to: &bytes)
    }
}
