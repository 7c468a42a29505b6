# The image holds one static program and nothing else. To fetch modules from a
# mirror, set GOPROXY:
#
#	docker build --build-arg GOPROXY=… -t fivefold .
#	docker run --env-file .env -v fivefold:/data fivefold

FROM golang:1.26 AS build
ARG GOPROXY
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/fivefold ./cmd/fivefold \
 && mkdir /out/data

FROM scratch
# For TLS to Discord.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/fivefold /fivefold
COPY LICENSE THIRD_PARTY.md /licenses/
COPY game/wordle/dictionary/SCOWL-COPYRIGHT /licenses/
COPY --from=build --chown=65532:65532 /out/data /data
ENV FIVEFOLD_DATA=/data FIVEFOLD_LOG=json FIVEFOLD_ADMIN=unix:/data/admin.sock
VOLUME /data
USER 65532:65532
# A start may bring a large file up to date first.
HEALTHCHECK --interval=30s --timeout=15s --start-period=5m --retries=3 CMD ["/fivefold", "healthy"]
ENTRYPOINT ["/fivefold"]
CMD ["bot"]
