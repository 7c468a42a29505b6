# The image holds one static program and nothing else. BuildKit makes it for other
# processors too. It was never built: see docs/operating.md. To fetch modules from a
# mirror, set GOPROXY:
#
#	docker build --build-arg GOPROXY=… -t fivefold .
#	docker build --platform linux/amd64,linux/arm64 -t fivefold .
#	docker run --env-file .env -v fivefold:/data fivefold

FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS build
ARG GOPROXY
WORKDIR /src
# Modules come before the source, so that a change of the source downloads nothing.
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
ARG TARGETOS
ARG TARGETARCH
# The commit, for "fivefold --version".
ARG COMMIT
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -ldflags="-s -w -X main.commit=$COMMIT" -o /out/fivefold ./cmd/fivefold \
 && mkdir /out/data

FROM scratch
ARG COMMIT
LABEL org.opencontainers.image.title="Fivefold" \
      org.opencontainers.image.description="A Discord bot for a word game and a poker puzzle" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="$COMMIT"
# For TLS to Discord.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/fivefold /fivefold
COPY LICENSE cmd/fivefold/licences/licences.txt /licenses/
COPY --from=build --chown=65532:65532 /out/data /data
ENV FIVEFOLD_DATA=/data FIVEFOLD_LOG=json FIVEFOLD_ADMIN=unix:/data/admin.sock
VOLUME /data
USER 65532:65532
# A start may bring a large file up to date first.
HEALTHCHECK --interval=30s --timeout=15s --start-period=5m --retries=3 CMD ["/fivefold", "healthy"]
ENTRYPOINT ["/fivefold"]
CMD ["bot"]
