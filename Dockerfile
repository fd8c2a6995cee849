# A release pins the image by digest.
ARG SWIFT_IMAGE=swift:6.3-bookworm

FROM ${SWIFT_IMAGE} AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# Each package is named, so that it is the newest: what is shipped is copied from here.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libc6-dev libgcc-s1 libssl-dev libstdc++6 zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources ./Sources
COPY Tests ./Tests
RUN swift build -c release --static-swift-stdlib --disable-local-rpath --product bridgehost
# The binary, the libraries that it is linked with where their packages have them, and of each package its licence and
# what scanners read: an image without a package manager would hide its versions from them.
RUN mkdir -p /image/usr/local/bin /image/var/lib/dpkg/status.d /image/etc/bridgehost/{certificates,secrets} \
    && strip -o /image/usr/local/bin/bridgehost .build/release/bridgehost \
    && cp -L --parents /etc/os-release /image \
    && echo 'bridgehost:x:10001:10001::/:/usr/sbin/nologin' >/image/etc/passwd \
    && echo 'bridgehost:x:10001:' >/image/etc/group \
    && for library in $(ldd /image/usr/local/bin/bridgehost | grep -o '/[^ ]*'); do \
        owned=$(dpkg-query -S "$library" 2>/dev/null || dpkg-query -S "/usr$library"); \
        package=${owned%%:*}; \
        cp -L --parents "${owned##*: }" "/usr/share/doc/$package/copyright" /image; \
        dpkg-query -s "$package" >"/image/var/lib/dpkg/status.d/$package"; \
    done

FROM scratch
COPY --from=build /image /
COPY config /etc/bridgehost/config
COPY public /etc/bridgehost/public
ENV BRIDGEHOST_CONFIG=/etc/bridgehost/config \
    BRIDGEHOST_PUBLIC=/etc/bridgehost/public \
    BRIDGEHOST_LISTENERS_0_ADDRESS=0.0.0.0 \
    BRIDGEHOST_LISTENERS_1_ADDRESS=0.0.0.0
LABEL org.opencontainers.image.title="bridgehost" \
    org.opencontainers.image.description="Hosts the chat bridge pages of many tenants for native apps" \
    org.opencontainers.image.version="0.1.0"
USER 10001:10001
EXPOSE 8443 8080
HEALTHCHECK --interval=10s --timeout=4s --start-period=5s CMD ["/usr/local/bin/bridgehost", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/bridgehost"]
