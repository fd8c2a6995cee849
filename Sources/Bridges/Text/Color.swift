/// A CSS colour in one of the forms that can't carry anything else.
enum Color {
    /// `#` with 3, 4, 6 or 8 digits, or `rgb()`, `rgba()`, `hsl()`, `hsla()` of plain numbers.
    static let pattern =
        "^(?:#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|(?:rgb|hsl)a?\\([0-9., %/+deg-]{5,64}\\))$"

    static func isValid(_ text: String) -> Bool {
        names.contains { $0.isSame(as: text) } || isHexadecimal(text.utf8) || isFunction(text.utf8)
    }

    private static func isHexadecimal(_ bytes: String.UTF8View) -> Bool {
        guard bytes.first == UInt8(ascii: "#") else { return false }
        return [4, 5, 7, 9].contains(bytes.count) && bytes.dropFirst().allSatisfy(\.isHexadecimalDigit)
    }

    private static func isFunction(_ bytes: String.UTF8View) -> Bool {
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), bytes.last == UInt8(ascii: ")") else { return false }
        guard functions.contains(where: { $0.utf8.elementsEqual(bytes[..<open]) }) else { return false }
        let arguments = bytes[bytes.index(after: open)...].dropLast()
        return (5...64).contains(arguments.count) && arguments.allSatisfy { argumentBytes.contains($0) }
    }

    private static let functions = ["rgb", "rgba", "hsl", "hsla"]
    private static let argumentBytes = Set("0123456789., %/+deg-".utf8)

    /// CSS Color 4's names and `transparent`.
    static let names = """
        aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood \
        cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray \
        darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen \
        darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue \
        firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew \
        hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan \
        lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray \
        lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue \
        mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred \
        midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid \
        palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple \
        rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue \
        slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet \
        wheat white whitesmoke yellow yellowgreen
        """
        .split(separator: " ").map(String.init)
}
