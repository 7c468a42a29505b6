package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fivefold/bot/discord/discordtest"
)

// TestViolations: answers may come too late or too early, and nothing else may be refused.
func TestViolations(t *testing.T) {
	for text, want := range map[string]int{
		"POST /callback: 10062 Unknown interaction":                    0,
		"POST /webhooks/1/t: 0 this bot edits what it has deferred":    0,
		"PATCH /channels/1/messages/2: 50001 Missing Access":           1,
		"mentions: POST /callback: allowed_mentions has no parse list": 1,
	} {
		v := verdict{untimed: true}
		v.begin("violations")
		if v.violation(text); len(v.found) != want {
			t.Errorf("%q: %v", text, v.found)
		}
	}
}

// TestUntimed: what was slow fails only a run that judges times; what was lost fails both.
func TestUntimed(t *testing.T) {
	for _, untimed := range []bool{false, true} {
		v := verdict{untimed: untimed}
		v.begin("faults")
		v.slow(0, "slow to connect again", "after %d s", 12)
		if well := v.conclude(io.Discard, 1); well != untimed {
			t.Errorf("untimed %t: all is well is %t", untimed, well)
		}
		var out strings.Builder
		v.print(&out)
		if text := out.String(); !strings.Contains(text, "slow to connect again") || !strings.Contains(text, "after 12 s") {
			t.Errorf("untimed %t: it prints\n%s", untimed, text)
		}
		v.finding(lost, "a guess")
		if v.conclude(io.Discard, 1) {
			t.Errorf("untimed %t: all is well though a guess was lost", untimed)
		}
	}
}

// TestHalted: what was slow does not count if this process did not run meanwhile.
func TestHalted(t *testing.T) {
	var v verdict
	v.begin("faults")
	v.halted.Store(int64(time.Hour))
	for _, since := range []time.Duration{0, slack, slack + 1} {
		before := v.halted.Load()
		v.halted.Add(int64(since))
		v.found = map[string]int{}
		if v.slow(before, "slow", "it was"); (v.found["slow"] == 1) != (since <= slack) {
			t.Errorf("%v: %d findings", since, v.found["slow"])
		}
	}
}

// TestUnanswered: an interaction without an answer belongs to what happened when it was sent, and not to what happened when
// its player gave up.
func TestUnanswered(t *testing.T) {
	came, giveUp := make(chan struct{}), make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), `"token":"ping"`) {
			_, _ = io.WriteString(rw, `{"type":1}`)
			return
		}
		close(came)
		<-giveUp
		panic(http.ErrAbortHandler)
	}))
	defer silent.Close()
	life, end := context.WithCancel(t.Context())
	w := &world{discord: discordtest.New(t, discordtest.Options{}), bots: []*process{{life: life}}}
	if err := w.discord.SetEndpoint(t.Context(), silent.URL); err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	go func() {
		<-came
		<-giveUp
		end()
	}()
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		w.ask(t.Context(), command("guess", "word", "crane"))
	}()
	<-came
	later := time.Now()
	close(giveUp)
	<-asked
	if then, since := w.unanswered(before, later), w.unanswered(later, time.Now()); then != 1 || since != 0 {
		t.Errorf("%d without an answer when it was sent, %d since", then, since)
	}
}
