/// A made-up vendor with everything that a descriptor can say, its page, and a tenant of it.
enum Fixture {
    static let descriptor = """
        {
          "title": "Parley",
          "page": "parley.html",
          "settings": {
            "room": { "type": "string", "required": true, "pattern": "^[a-z]{1,8}$", "description": "The room's short name." },
            "zone": { "type": "string", "default": "north", "pattern": "^[a-z]+$", "known": ["north", "south", "east"] },
            "greeting": { "type": "string", "native": true },
            "sound": { "type": "boolean", "default": true, "native": true, "warn": [{ "value": false, "message": "It hums." }] },
            "size": { "type": "integer", "minimum": 1, "maximum": 64 },
            "scriptURL": { "type": "url", "default": "https://cdn.parley.example/v1/parley.js" },
            "chimeURL": { "type": "url" },
            "tint": { "type": "color" }
          },
          "policy": {
            "script-src": [{ "setting": "scriptURL" }],
            "style-src": ["'unsafe-inline'"],
            "connect-src": [
              { "setting": "scriptURL" },
              { "when": { "zone": ["north"] }, "sources": ["https://n.parley.example", "wss://n.parley.example"] },
              { "when": { "zone": ["south"] }, "sources": ["https://s.parley.example"] },
              { "when": { "zone": ["north"], "sound": [true] }, "sources": ["https://hum.parley.example"] }
            ],
            "img-src": ["data:", "https://*.img.parley.example:8443/a/"],
            "media-src": [{ "setting": "chimeURL" }]
          },
          "permissions": {
            "microphone": { "setting": "sound", "origins": [{ "setting": "scriptURL" }, "https://voice.parley.example"] },
            "autoplay": {}
          },
          "native": { "handler": "parley", "android": { "object": "Parley", "method": "post" }, "flutter": "parley", "body": "event" }
        }
        """

    static let signingDescriptor = """
        {
          "title": "Envoy",
          "settings": { "inbox": { "type": "string", "required": true }, "quiet": { "type": "boolean" } },
          "identity": { "algorithm": "hmac-sha256-hex", "request": "visitor", "answers": { "id": "visitor", "hash": "proof" } }
        }
        """

    static let page = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>Parley</title>
        <link rel="stylesheet" href="parley.css">
        <style>body { margin: 0 }</style>
        </head>
        <body>
        <script type="application/json" id="bridge-config">{}</script>
        <script src="core.js"></script>
        <script>start();</script>
        </body>
        </html>

        """

    static let script = "function start() { return 1 < 2; }\n"
    static let stylesheet = "p { color: red }\n"

    static let tenant = """
        { "bridges": { "parley": { "settings": { "room": "hall" } } } }
        """

    /// A workspace with both bridges and no tenant.
    static func workspace(page: String = page, descriptor: String = descriptor) throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write("config/bridges/parley.json", descriptor)
        try workspace.write("config/bridges/envoy.json", signingDescriptor)
        try workspace.write("public/parley.html", page)
        try workspace.write("public/core.js", script)
        try workspace.write("public/parley.css", stylesheet)
        return workspace
    }
}
