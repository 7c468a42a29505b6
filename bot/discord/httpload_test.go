package discord

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
)

// BenchmarkHTTP posts signed interactions, 64 at a time, to a bot whose store is in memory where
// there is a file system for that, and to a handler that only checks the signature and always
// returns the same answer. Each of 256 players plays games alone: starts one and guesses six times.
func BenchmarkHTTP(b *testing.B) {
	const players, atOnce, words = 256, 64, 7
	s := discordtest.New(b, inTwoServers)
	key, err := ParsePublicKey(s.PublicKey())
	must(b, err)
	interaction := func(n int) discordtest.Interaction {
		i := discordtest.Interaction{Command: "wordle start", Options: map[string]any{"mode": "solo"}}
		if word := []string{"", "fuzzy", "vivid", "mummy", "civic", "puppy", "jazzy"}[n/players%words]; word != "" {
			i.Command, i.Options = "guess", map[string]any{"mode": "solo", "word": word}
		}
		i.Guild, i.Channel = server, fmt.Sprint(7_000_000+n%players)
		i.User = fmt.Sprint(1200000000000001000 + n%players)
		return i
	}
	for _, bench := range []struct {
		name  string
		start func(b *testing.B, l net.Listener)
	}{
		{"bot", func(b *testing.B, l net.Listener) {
			folder, err := os.MkdirTemp("/dev/shm", "fivefold")
			if err != nil {
				folder = b.TempDir()
			}
			store := mustStoreIn(b, folder)
			b.Cleanup(func() { must(b, store.Close()); must(b, os.RemoveAll(folder)) })
			quiet := slog.New(slog.DiscardHandler)
			mustRun(b, s, store, func(o *setup) {
				o.HTTP = &HTTP{Listener: l, Path: "/interactions", PublicKey: key}
				o.timings.http.Linger = 0
				// All requests are made before the first is sent.
				o.timings.limits.MaxAge, o.timings.limits.MaxWait = time.Hour, time.Hour
				o.Log = quiet
				o.Bot = &bot.Bot{Table: mustHandlers(b, store, hiddenWord, quiet).Table(), Log: quiet}
			})
		}},
		{"bare", func(b *testing.B, l net.Listener) {
			bare := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				sum, hexErr := hex.DecodeString(r.Header.Get("X-Signature-Ed25519"))
				if err != nil || hexErr != nil || !ed25519.Verify(key, append([]byte(r.Header.Get("X-Signature-Timestamp")), body...), sum) {
					http.Error(w, "no", http.StatusUnauthorized)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"type":4,"data":{"content":"hello","allowed_mentions":{"parse":[]}}}`)
			})}
			go func() { _ = bare.Serve(l) }()
			b.Cleanup(func() { _ = bare.Close() })
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			must(b, err)
			url := "http://" + l.Addr().String() + "/interactions"
			bench.start(b, l)
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}}
			defer client.CloseIdleConnections()
			requests := make([]*http.Request, b.N)
			for n := range requests {
				requests[n] = s.NewDelivery(b.Context(), url, s.Event(interaction(n)))
			}
			var next, failed atomic.Int64
			post := func() {
				for {
					n := int(next.Add(1)) - 1
					if n >= b.N {
						return
					}
					answer, err := client.Do(requests[n])
					if err != nil {
						b.Error(err)
						return
					}
					text, err := io.ReadAll(answer.Body)
					answer.Body.Close()
					if err != nil || answer.StatusCode != 200 || !bytes.Contains(text, []byte(`"type":4`)) {
						failed.Add(1)
					}
				}
			}
			b.ResetTimer()
			var posting sync.WaitGroup
			for range atOnce {
				posting.Go(post)
			}
			posting.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
			if failed.Load() > 0 {
				b.Errorf("%d of %d were not answered", failed.Load(), b.N)
			}
		})
	}
}
