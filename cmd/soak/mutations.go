package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"fivefold/bot/discord/discordtest"
)

// batch is the number of mutated interactions after which an honest one must be answered.
const batch = 200

// mutable are the interactions that are mutated.
var mutable = []discordtest.Interaction{
	{Guild: "71", Command: "wordle start"},
	{Command: "wordle start", Options: map[string]any{"mode": "solo", "hard": true}},
	{Guild: "71", Command: "guess", Options: map[string]any{"word": "slate"}},
	{Guild: "71", Command: "hint", Options: map[string]any{"kind": "letter"}},
	{Command: "pokle start"},
	{Command: "pokle guess"},
	{Command: "pokle solve", Options: map[string]any{"deal": someDeal(0)}},
	{Command: "solve next", Options: map[string]any{"guess": "fuzzy", "feedback": "bbbbb"}},
	{Guild: "71", Command: "stats", Options: map[string]any{"player": discordtest.UserOption("1200000000000000001")}},
	{Guild: "71", Command: "review list"},
	{Guild: "71", Command: "wordle stop"},
	{Type: discordtest.TypeAutocomplete, Command: "guess", Focused: "word", Options: map[string]any{"word": "sl"}},
	{Type: discordtest.TypeComponent, CustomID: "wordle board"},
	{Type: discordtest.TypeComponent, CustomID: "solve next?guess=fuzzy&feedback=bbbbb"},
	{Type: discordtest.TypeModal, CustomID: "guess", Options: map[string]any{"word": "brick"}},
}

// hostile are frames of the gateway that Discord would never send.
var hostile = []string{
	`null`, `[]`, `0`, `""`, `{}`, `{"op":null}`, `{"op":0}`, `{"op":0,"t":null,"s":null,"d":null}`, `{"op":0,"t":"READY","s":1,"d":null}`,
	`{"op":0,"t":"RESUMED","s":-1,"d":[]}`, `{"op":0,"t":"INTERACTION_CREATE","s":2,"d":null}`, `{"op":0,"t":"INTERACTION_CREATE","s":2,"d":[[]]}`,
	`{"op":10,"d":null}`, `{"op":10,"d":{"heartbeat_interval":0}}`, `{"op":10,"d":{"heartbeat_interval":-5}}`, `{"op":11,"d":{}}`, `{"op":1,"d":null}`,
	`{"op":9,"d":null}`, `{"op":99,"d":{}}`, `{"op":"0"}`, `{"op":1e400}`, "\x00", `{`,
}

// mutations sends what Discord would never send. The program must not panic, nor answer
// anything twice, and it must go on answering. By HTTP, one in four has a wrong signature and
// must be refused with 401, and there are slow connections.
func mutations(ctx context.Context, w *world, random *rand.Rand) error {
	w.checkViolations()
	if w.byHTTP {
		ctx, stop := context.WithCancel(ctx)
		var all sync.WaitGroup
		defer all.Wait()
		defer stop()
		for n := range slowConnections {
			all.Go(func() {
				for ctx.Err() == nil {
					slowConnection(ctx, w.bots[0].address, n)
				}
			})
		}
	}
	for range 3 {
		for range batch {
			event := discordtest.Mutate(random, w.discord.Event(mutable[random.IntN(len(mutable))]))
			w.mutated.Add(1)
			if w.byHTTP && random.IntN(4) == 0 {
				if err := w.forge(ctx, random, event); err != nil {
					return err
				}
				continue
			}
			w.discord.Invoke(discordtest.Interaction{Raw: event})
		}
		if !w.byHTTP {
			w.discord.SendFrame(hostile[random.IntN(len(hostile))])
		}
		if err := w.savesAgain(ctx); err != nil {
			return err
		}
		w.checkMutated()
	}
	return nil
}

// checkMutated looks for a second answer, and for anything else that Discord would refuse.
// An interaction whose id, token or type was changed cannot be answered rightly.
func (w *world) checkMutated() {
	expected := []string{"no such endpoint", "does not answer this interaction"}
	if w.byHTTP { // the program does not learn that an answer was refused, and edits a message that is not there
		expected = append(expected, "10008")
	}
	w.checkViolations(expected...)
}

// slowConnections is how many connections are half open at once. On each a request begins that never
// ends; the program closes it after a while, and another one takes its place.
const slowConnections = 1000

// slowConnection opens one and waits until it is closed. Errors are to be expected.
func slowConnection(ctx context.Context, host string, n int) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		time.Sleep(100 * time.Millisecond)
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	begin := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\nX-Signature-Timestamp: %d\r\nX-Signature-Ed25519: %s\r\n\r\n{", endpoint, time.Now().Unix(), strings.Repeat("0", 128))
	if n%2 == 0 {
		begin = begin[:20+n%30] // not even the headers
	}
	if _, err := io.WriteString(conn, begin); err == nil {
		_, _ = io.Copy(io.Discard, conn)
	}
}

// forge posts an interaction whose signature is wrong in one of several ways, and notes it if
// the program does not refuse that.
func (w *world) forge(ctx context.Context, random *rand.Rand, event []byte) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r := w.discord.NewDelivery(ctx, "http://"+w.bots[0].address+endpoint, event)
	const sum, at = "X-Signature-Ed25519", "X-Signature-Timestamp"
	switch random.IntN(6) {
	case 0:
		r.Header.Del(sum)
	case 1:
		r.Header.Del(at)
	case 2:
		r.Header.Set(at, fmt.Sprint(time.Now().Unix()+1+random.Int64N(100)))
	case 3:
		text := []byte(r.Header.Get(sum))
		text[random.IntN(len(text))] ^= 1
		r.Header.Set(sum, string(text))
	case 4:
		other := append(append([]byte{}, event...), ' ')
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(other))), int64(len(other))
	case 5:
		timestamp, signature := w.discord.Sign(time.Now().Add(-time.Hour), event)
		r.Header.Set(at, timestamp)
		r.Header.Set(sum, signature)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusUnauthorized {
		w.verdict.finding("not refused", "a wrong signature is answered with %d", answer.StatusCode)
	}
	return nil
}
