package discord

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot/admission"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/racetest"
)

// TestRacesAtOnce has eight players in each of 50 channels solve a race at once: every board ends with all of
// them, in the order in which Discord numbered their guesses, and Discord refuses no edit as one too many.
func TestRacesAtOnce(t *testing.T) {
	t.Parallel()
	const players = 8
	races := racetest.Cases(50)
	s := discordtest.New(t, inTwoServers)
	var f *front
	var games *matches.Manager
	mustReady(t, s, func(o *setup) {
		games, o.games.Pick, o.games.Store = o.games, nil, o.games.Store.(forgetful).Store // no word comes twice in a server
		o.started = func(started *front) { f = started }
	})
	settle := func() {
		for ; f.queue.Stats() != (admission.Stats{}) || !f.boards.Rests(); time.Sleep(time.Millisecond) {
			must(t, discordtest.Context(t).Err())
		}
	}
	ask := func(i discordtest.Interaction) (*discordtest.Call, discordtest.Answer) {
		call := s.Invoke(i)
		a, err := call.Message(discordtest.Context(t))
		if err != nil {
			t.Error(err)
		}
		return call, a
	}
	user := func(race, player int) string { return strconv.Itoa(playerIDs + race*players + player) }
	boards := make([]discordtest.Answer, races)
	var all sync.WaitGroup
	for n := range races {
		all.Go(func() {
			i := discordtest.Interaction{Command: "wordle race", Guild: server, Channel: strconv.Itoa(7_000_000 + n), User: user(n, 0)}
			_, boards[n] = ask(i)
			for p := range players { // the starter presses Start, and the others Join
				press := discordtest.Interaction{Type: discordtest.TypeComponent, Guild: server, Channel: i.Channel, User: user(n, p), Message: boards[n].MessageID, CustomID: boards[n].Components[0].CustomID}
				if p == 0 {
					press.CustomID = boards[n].Components[1].CustomID
				}
				ask(press)
			}
		})
	}
	all.Wait()
	settle()
	joined := edits(s)
	guesses := make([][]game.RequestID, races)
	began := time.Now()
	for n := range races {
		guesses[n] = make([]game.RequestID, players)
		place := game.Location{Guild: server, Channel: game.ChannelID(strconv.Itoa(7_000_000 + n))}
		match, err := games.Latest(t.Context(), game.Origin{Location: place, Player: game.PlayerID(user(n, 0))}, matches.Target{Kind: wordgame.Kind, Mode: game.Racing})
		must(t, err)
		for p := range players {
			all.Go(func() {
				i := guessOf(match.State.Answer())
				i.Guild, i.Channel, i.User = server, strconv.Itoa(7_000_000+n), user(n, p)
				call, _ := ask(i)
				guesses[n][p] = game.RequestID(call.ID())
			})
		}
	}
	all.Wait()
	settle()
	t.Logf("%d races: %d edits while players joined, %d when they finished, within %v", races, joined, edits(s)-joined, time.Since(began).Round(time.Millisecond))
	if got := edits(s) - joined; got > races*players {
		t.Errorf("%d edits for %d guesses", got, races*players)
	}
	for n, ids := range guesses {
		made := func(p int) time.Time { return calls.Made(string(ids[p])) }
		order := []int{0, 1, 2, 3, 4, 5, 6, 7}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(made(a).Compare(made(b)), cmp.Compare(a, b)) })
		var want []string
		place := 0
		for i, p := range order {
			if i == 0 || !made(p).Equal(made(order[i-1])) {
				place = i + 1
			}
			want = append(want, fmt.Sprintf("**%d.** <@%s> in 1", place, user(n, p)))
		}
		shown, _ := s.Shown(boards[n].MessageID)
		lines := slices.DeleteFunc(strings.Split(shown.Content, "\n"), func(line string) bool { return strings.HasPrefix(line, "🟩") })
		if !strings.HasPrefix(lines[0], "**The race is over.**") {
			t.Fatalf("race %d shows\n%s", n, shown.Content)
		}
		for i, line := range lines[1:] {
			if line, _, _ = strings.Cut(line, ","); line != want[i] {
				t.Errorf("race %d, line %d: %s, want %s", n, i+1, line, want[i])
			}
		}
	}
	for _, r := range s.Requests() {
		if r.Status == http.StatusTooManyRequests {
			t.Errorf("refused as one too many: %s %s", r.Method, r.Path)
		}
	}
	for _, v := range s.Violations() {
		t.Errorf("discord would not have it: %s", v)
	}
}

// edits counts the edits of messages that the bot has made.
func edits(s *discordtest.Server) int {
	return len(slices.DeleteFunc(s.Requests(), func(r discordtest.Request) bool { return r.Method != http.MethodPatch }))
}

// gated is a store whose changes of matches wait while it is shut.
type gated struct {
	matches.Store
	shut    atomic.Pointer[chan struct{}] // closed to open it; nil while it is open
	waiting atomic.Int64
}

func (g *gated) Commit(ctx context.Context, c matches.Change) error {
	if shut := g.shut.Load(); shut != nil {
		g.waiting.Add(1)
		<-*shut
	}
	return g.Store.Commit(ctx, c)
}

// TestStopWhileRacing: the bot is stopped while many racers guess. Each guess is answered, and the boards of all
// races show what was answered.
func TestStopWhileRacing(t *testing.T) {
	t.Parallel()
	const races, players = 10, 8
	s := discordtest.New(t, inTwoServers)
	store := &gated{}
	var drawn atomic.Int64
	r := mustReady(t, s, func(o *setup) {
		store.Store = o.games.Store
		o.games.Store, o.games.Pick = store, func(int) int { return int(drawn.Add(1)) } // no word comes twice in a server
		o.timings.limits.PerServer = races * players
	})
	user := func(race, player int) string { return strconv.Itoa(playerIDs + race*players + player) }
	place := func(race int) string { return strconv.Itoa(7_000_000 + race) }
	ask := func(i discordtest.Interaction) discordtest.Answer {
		a, err := s.Invoke(i).Message(discordtest.Context(t))
		if err != nil {
			t.Error(err)
		}
		return a
	}
	var boards [races]discordtest.Answer
	var all sync.WaitGroup
	for n := range races {
		all.Go(func() {
			boards[n] = ask(discordtest.Interaction{Command: "wordle race", Guild: server, Channel: place(n), User: user(n, 0)})
			for p := range players { // the starter presses Start, and the others Join
				press := discordtest.Interaction{Type: discordtest.TypeComponent, Guild: server, Channel: place(n), User: user(n, p), Message: boards[n].MessageID, CustomID: boards[n].Components[0].CustomID}
				if p == 0 {
					press.CustomID = boards[n].Components[1].CustomID
				}
				ask(press)
			}
		})
	}
	all.Wait()
	shut := make(chan struct{})
	store.shut.Store(&shut)
	for n := range races {
		for p := range players {
			all.Go(func() {
				i := guessOf("slate")
				i.Guild, i.Channel, i.User = server, place(n), user(n, p)
				ask(i)
			})
		}
	}
	for ; store.waiting.Load() < races*players; time.Sleep(time.Millisecond) {
		must(t, discordtest.Context(t).Err())
	}
	r.cancel()
	close(shut)
	all.Wait()
	must(t, r.mustEnd(t))
	for n := range races {
		shown, _ := s.Shown(boards[n].MessageID)
		if strings.Count(shown.Content, "\n") != 2*players { // each has a line for the name, and one for the guess
			t.Errorf("race %d shows\n%s", n, shown.Content)
		}
	}
}
