/// A time as a Date field has it (RFC 9110 §5.6.7, IMF-fixdate).
public enum HTTPDate {
    /// The length of every date, in bytes.
    public static let length = 29

    /// `Sun, 06 Nov 1994 08:49:37 GMT` for seconds since 1970 in UTC, of the years 0 to 9999.
    public static func format(_ seconds: Int) -> [UInt8] {
        let days = floorDivide(seconds, 86_400)
        let second = seconds - days * 86_400
        let (year, month, day) = civil(days: days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        append(weekdays[floorModulo(days + 4, 7)], to: &bytes)
        bytes += [0x2C, 0x20]
        append(day, digits: 2, to: &bytes)
        bytes.append(0x20)
        append(months[month - 1], to: &bytes)
        bytes.append(0x20)
        append(year, digits: 4, to: &bytes)
        bytes.append(0x20)
        append(second / 3_600, digits: 2, to: &bytes)
        bytes.append(0x3A)
        append(second / 60 % 60, digits: 2, to: &bytes)
        bytes.append(0x3A)
        append(second % 60, digits: 2, to: &bytes)
        append(" GMT", to: &bytes)
        return bytes
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Year, month and day of the proleptic Gregorian calendar, counted in eras of 400 years that begin on 1 March.
    static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: text.utf8)
    }

    static func append(_ value: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }

    static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
    }

    private static func floorModulo(_ value: Int, _ divisor: Int) -> Int {
        value - floorDivide(value, divisor) * divisor
    }
}
