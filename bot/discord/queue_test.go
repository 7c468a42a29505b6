package discord

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/endpoint"
	"fivefold/solver/parallel"
)

// counting is an Observer that counts.
type counting struct {
	unobserved
	mu    sync.Mutex // protects everything below
	begun map[string]int
	ended map[Outcome]int
	late  time.Duration // the greatest age at which work began
}

func newCounting() *counting { return &counting{begun: map[string]int{}, ended: map[Outcome]int{}} }

func (c *counting) Begun(command string, age time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun[command]++
	c.late = max(c.late, age)
}

func (c *counting) Ended(_ string, outcome Outcome, _ time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended[outcome]++
}

var events atomic.Int64 // that were made, so that each has an id of its own

// event returns the raw event of a command, or of its completion, that a player gave some
// time ago.
func event(player, command string, ago time.Duration, completion bool) []byte {
	kind, options := 2, []map[string]any{}
	if completion {
		kind, options = 4, append(options, map[string]any{"name": "word", "type": 3, "value": "c", "focused": true})
	}
	id := strconv.FormatInt((time.Now().Add(-ago).UnixMilli()-1420070400000)<<22+events.Add(1)%(1<<22), 10)
	raw, err := json.Marshal(map[string]any{
		"id": id, "application_id": "1", "type": kind, "token": "interaction-token-" + id, "channel_id": "7", "guild_id": "8",
		"member": map[string]any{"user": map[string]any{"id": player}},
		"data":   map[string]any{"name": command, "options": options},
	})
	if err != nil {
		panic(err)
	}
	return raw
}

// newObserved is newRecorder with an observer, for a bot that runs the function for each
// command. It has taken one command, from which it knows how far the clocks are apart.
func newObserved(t *testing.T, run func(context.Context, bot.Request) bot.Reply) (*front, *recorder, *counting) {
	time.Sleep(time.Until(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))) // ids begin in 2015
	f, got := newRecorder(t)
	c := newCounting()
	f.observer = c
	runBy(f, func(context.Context, bot.Request) bot.Reply { return public("hi") })
	take(f, event("first", "guess", 0, false))
	synctest.Wait()
	runBy(f, run)
	got.calls = nil
	c.begun, c.ended = map[string]int{}, map[Outcome]int{}
	return f, got, c
}

// TestInteractionsAreLogged: one line for each at debug level, with its time and its way, without what was
// written and without anybody's id.
func TestInteractionsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _, _ := newObserved(t, func(context.Context, bot.Request) bot.Reply {
			time.Sleep(time.Second)
			return public("hi")
		})
		log := discordtest.NewLog(t)
		f.log = log.Logger
		byGateway, byHTTP := event("4201420142014201", "guess", time.Second/2, false), event("4202420242024202", "stats", 0, false)
		take(f, byGateway)
		take(f, event("4201420142014201", "guess", 0, false))
		public, private, err := ed25519.GenerateKey(nil)
		must(t, err)
		posted := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(byHTTP))
		at := fmt.Sprint(time.Now().Unix())
		posted.Header.Set("X-Signature-Timestamp", at)
		posted.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(private, append([]byte(at), byHTTP...))))
		go endpoint.New(endpoint.Options{Path: "/", PublicKey: public}, f, endpoint.DefaultTimings, f.observer, f.log).
			ServeHTTP(httptest.NewRecorder(), posted)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if len(lines) != 3 {
			t.Fatalf("%d lines:\n%s", len(lines), log)
		}
		player := map[string]bool{}
		for _, line := range lines {
			want := `level=DEBUG msg=interaction id=\d+ command=guess outcome=answered route=gateway took=1s age=1(\.5)?s player=(\w{12}) channel=\w{12} server=\w{12}$`
			if strings.Contains(line, "stats") {
				want = strings.NewReplacer("guess", "stats", "gateway", "HTTP").Replace(want)
			}
			match := regexp.MustCompile(want).FindStringSubmatch(line)
			if match == nil {
				t.Fatalf("the line is\n%s\nwant\n%s", line, want)
			}
			player[match[2]] = true
		}
		if len(player) != 2 {
			t.Errorf("two players are %v", player)
		}
		if strings.Contains(strings.Join(lines, ""), "4201420142014201") {
			t.Errorf("a player's id is logged:\n%s", log)
		}
		if other, _ := newRecorder(t); player[other.hidden("4201420142014201")] || other.hidden("") != "" {
			t.Error("an id is hashed as in an earlier run, or one that is not there")
		}
	})
}

// TestEveryInteractionEndsOnce: each in its own way.
func TestEveryInteractionEndsOnce(t *testing.T) {
	after := func(d time.Duration, r bot.Reply) func(context.Context, bot.Request) bot.Reply {
		return func(context.Context, bot.Request) bot.Reply { time.Sleep(d); return r }
	}
	for name, test := range map[string]struct {
		run     func(context.Context, bot.Request) bot.Reply
		send    func(f *front)
		begun   int // -1 where that depends on how quickly each ends
		ended   map[Outcome]int
		answers int // first responses, or -1
	}{
		"answered": {after(0, public("hi")), func(f *front) { take(f, event("ana", "guess", 0, false)) }, 1, map[Outcome]int{Answered: 1}, 1},
		"late":     {after(2*time.Second, public("hi")), func(f *front) { take(f, event("ana", "guess", 0, false)) }, 1, map[Outcome]int{Answered: 1}, 1},
		"panics":   {func(context.Context, bot.Request) bot.Reply { panic("of the test") }, func(f *front) { take(f, event("ana", "guess", 0, false)) }, 1, map[Outcome]int{Failed: 1}, 1},
		"busy":     {after(0, bot.Busy()), func(f *front) { take(f, event("ana", "guess", 0, false)) }, 1, map[Outcome]int{Busy: 1}, 1},
		"expired on the way": {
			func(ctx context.Context, r bot.Request) bot.Reply {
				time.Sleep(time.Until(r.Expires))
				return bot.Reply{Problem: bot.TooLate}
			},
			func(f *front) { take(f, event("ana", "guess", time.Second, false)) }, 1, map[Outcome]int{Expired: 1}, 1,
		},
		"expired before": {nil, func(f *front) { take(f, event("ana", "guess", 2500*time.Millisecond, false)) }, 0, map[Outcome]int{Expired: 1}, 0},
		"not JSON":       {nil, func(f *front) { take(f, []byte("null")) }, 0, map[Outcome]int{Failed: 1}, 0},
		"too many": {after(time.Second, public("hi")), func(f *front) {
			for range 700 {
				take(f, event("ana", "guess", 0, false))
			}
		}, 3, map[Outcome]int{Answered: 3, Busy: 697}, -1},
		"completions": {nil, func(f *front) {
			word := bot.Option{Name: "word", Complete: func(ctx context.Context, _ bot.Request, _ string) []bot.Choice {
				select {
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
				}
				return nil
			}}
			f.bot.Table.Commands = []bot.Command{{Name: "guess", Options: []bot.Option{word}}}
			for range 3000 {
				take(f, event("ana", "guess", 0, true))
			}
		}, -1, map[Outcome]int{Answered: 1, Superseded: 2999}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got, c := newObserved(t, test.run)
				test.send(f)
				if left := f.queue.Drain(time.Minute); left > 0 {
					t.Errorf("%d are left", left)
				}
				begun := 0
				for _, n := range c.begun {
					begun += n
				}
				if begun != test.begun && test.begun >= 0 || !maps.Equal(c.ended, test.ended) {
					t.Errorf("%d begun, ended %v; want %d, %v", begun, c.ended, test.begun, test.ended)
				}
				first := 0
				for _, call := range got.calls {
					if !strings.Contains(call, "edit") {
						first++
					}
				}
				if first != test.answers && test.answers >= 0 {
					t.Errorf("%d first responses, want %d: %v", first, test.answers, got.calls)
				}
			})
		})
	}
}

// TestNotDelivered: the observer learns that an answer was lost.
func TestNotDelivered(t *testing.T) {
	for name, takes := range map[string]time.Duration{"first response": 0, "edit": 2 * time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got, c := newObserved(t, func(context.Context, bot.Request) bot.Reply { time.Sleep(takes); return public("hi") })
				got.takes = func(m discordtest.Made) (string, error) {
					if m.What == "respond" && takes > 0 {
						return "", nil
					}
					return "", errors.New("cut")
				}
				take(f, event("ana", "guess", 0, false))
				f.queue.Drain(time.Minute)
				if want := map[Outcome]int{NotDelivered: 1}; !maps.Equal(c.ended, want) {
					t.Errorf("ended %v, want %v", c.ended, want)
				}
			})
		})
	}
}

// TestAgeCounts: an interaction that was long on its way has less time until its response is
// deferred, and until it expires.
func TestAgeCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ago = time.Second
		var expires time.Duration
		f, got, _ := newObserved(t, func(_ context.Context, r bot.Request) bot.Reply {
			expires = time.Until(r.Expires)
			time.Sleep(time.Second)
			return public("hi")
		})
		began := time.Now()
		got.takes = func(m discordtest.Made) (string, error) {
			if m.What == "respond" && (m.Type != typeDeferredMessage || time.Since(began) != deferAfter-ago) {
				t.Errorf("type %d after %v", m.Type, time.Since(began))
			}
			return "", nil
		}
		take(f, event("ana", "guess", ago, false))
		f.queue.Drain(time.Minute)
		if want := defaultTimings.limits.MaxAge - ago; expires != want {
			t.Errorf("it expires in %v, want %v", expires, want)
		}
		if len(got.calls) != 2 || !strings.Contains(got.calls[1], "edit") {
			t.Errorf("got %v", got.calls)
		}
	})
}

// TestPicturesNeedPermits: without one, the lines must do.
func TestPicturesNeedPermits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drawn := 0
		reply := public("hi").Add(&bot.Picture{Name: "a.png", Alt: "a", Draw: func(bool) []byte { drawn++; return []byte("png") }})
		f, got, _ := newObserved(t, func(context.Context, bot.Request) bot.Reply { return reply })
		f.deliverer.Permits = parallel.NewPermits(1)
		permit, err := f.deliverer.Permits.Acquire(t.Context(), parallel.Brief)
		must(t, err)
		take(f, event("ana", "guess", 0, false))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if drawn != 0 || len(got.calls) != 1 || strings.Contains(got.calls[0], "a.png") {
			t.Errorf("drawn %d times; %v", drawn, got.calls)
		}
		permit.Release()
		take(f, event("ana", "guess", 0, false))
		f.queue.Drain(time.Minute)
		if drawn != 1 || len(got.calls) != 2 || !strings.Contains(got.calls[1], "a.png") {
			t.Errorf("drawn %d times; %v", drawn, got.calls)
		}
	})
}

// TestRefusedPolitely: on Discord, a player who asks for too much at once is told so alone,
// and what was refused has changed nothing.
func TestRefusedPolitely(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	release := make(chan struct{})
	mustReady(t, s, func(o *setup) {
		o.timings.limits.PerPlayer = 1
		o.games.Store = troubled{o.games.Store, func() error { <-release; return nil }}
	})
	first := s.Invoke(discordtest.Interaction{Command: "wordle board"})
	a := mustAnswer(t, s, guessOf("slate"))
	if !a.Ephemeral || !strings.HasPrefix(a.Content, "One at a time, please") {
		t.Errorf("got %q", a.Content)
	}
	typed := mustAnswer(t, s, discordtest.Interaction{Type: discordtest.TypeAutocomplete, Command: "guess", Focused: "word"})
	if typed.Type != typeChoices {
		t.Errorf("completion: got %+v", typed)
	}
	close(release)
	if a := mustMessage(t, first); !strings.Contains(a.Content, "No game") {
		t.Errorf("got %q", a.Content)
	}
}

// TestReaderSurvives: a panic before an interaction is taken does not end the reader of the gateway.
func TestReaderSurvives(t *testing.T) {
	f, _ := newRecorder(t)
	queue := f.queue
	f.queue = nil
	take(f, event("ana", "guess", 0, false))
	f.queue = queue
}
