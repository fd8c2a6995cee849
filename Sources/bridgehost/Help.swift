enum Help {
    static let text = """
        bridgehost hosts the chat bridge pages of many tenants for native apps.

        Usage: bridgehost [COMMAND] [OPTIONS]

        Commands:
          serve                   serve pages and REST (this is the default)
              --strict            refuse to start when any tenant's file is broken
              --inspect           show at /inspect/ why a chat does not appear; on loopback alone
          check                   read all files, print every problem, serve nothing
          render TENANT BRIDGE    print a page as it is sent, head and body
              --bundle            print it as one file to ship in an app, its policy inside
          policy TENANT BRIDGE    explain what a page's policy allows, why, and which engines heed it
          schema                  write JSON schemas of the config files
              --out DIR           into DIR instead of the config folder's schemas/
          certificate             make a private CA, unless DIR holds one, and a certificate of it
              --out DIR           where ca.pem, ca.key, chain.pem and key.pem go
              --host NAME         a DNS name, *.name or address; may be given again
              --days N            how long it holds: 1 to 825, 397 unless said otherwise
          token                   make a bearer token: printed once, then its line for access.tokens
          healthcheck             ask the running service whether it is ready

        Options of serve, check, render, policy, schema and healthcheck:
          --config DIR            holds server.json, bridges/ and tenants/ (config)
          --public DIR            holds the pages (public)
          --set PATH=VALUE        stands over server.json, as --set listeners.0.port=9443

        Environment: BRIDGEHOST_CONFIG, BRIDGEHOST_PUBLIC, and BRIDGEHOST_ with the path of any
        key of server.json in upper snake case, as BRIDGEHOST_LISTENERS_0_ADDRESS=0.0.0.0.
        A flag counts before the environment, the environment before the file.

        Files that change are read again by themselves. Signals: SIGHUP reads all files again, certificates
        too; SIGUSR1 opens the access log again; SIGTERM and SIGINT stop gracefully.
        Under systemd (Type=notify) the manager is told of start, reload, stop and life.

        Exit status: 0 fine, 1 problems found, 2 wrong usage.
        """
}
