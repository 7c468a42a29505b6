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

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
)

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

// TestStopWhileRacing: eight players in each of ten channels solve a race at once, and the bot is stopped before any guess
// is saved. Each guess is answered, every board ends with all players in the order in which Discord numbered their guesses,
// and Discord refuses no edit as one too many.
func TestStopWhileRacing(t *testing.T) {
	t.Parallel()
	const races, players = 10, 8
	s := discordtest.New(t, inTwoServers)
	store := &gated{}
	var games *matches.Manager
	var drawn atomic.Int64
	r := mustReady(t, s, func(o *setup) {
		store.Store = o.games.Store
		games, o.games.Store, o.games.Pick = o.games, store, func(int) int { return int(drawn.Add(1)) } // no word comes twice in a server
		o.timings.limits.PerServer = races * players
	})
	user := func(race, player int) string { return strconv.Itoa(playerIDs + race*players + player) }
	place := func(race int) string { return strconv.Itoa(7_000_000 + race) }
	ask := func(i discordtest.Interaction) (*discordtest.Call, discordtest.Answer) {
		call := s.Invoke(i)
		a, err := call.Message(discordtest.Context(t))
		if err != nil {
			t.Error(err)
		}
		return call, a
	}
	var boards [races]discordtest.Answer
	var all sync.WaitGroup
	for n := range races {
		all.Go(func() {
			_, boards[n] = ask(discordtest.Interaction{Command: "wordle race", Guild: server, Channel: place(n), User: user(n, 0)})
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
	joined := edits(s)
	shut := make(chan struct{})
	store.shut.Store(&shut)
	var made [races][players]time.Time // when each guess was, by its id
	for n := range races {
		here := game.Location{Guild: server, Channel: game.ChannelID(place(n))}
		match, err := games.Latest(t.Context(), game.Origin{Location: here, Player: game.PlayerID(user(n, 0))}, matches.Target{Kind: wordgame.Kind, Mode: game.Racing})
		must(t, err)
		for p := range players {
			all.Go(func() {
				i := guessOf(match.State.Answer())
				i.Guild, i.Channel, i.User = server, place(n), user(n, p)
				call, _ := ask(i)
				made[n][p] = calls.Made(call.ID())
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
	if got := edits(s) - joined; got > races*players {
		t.Errorf("%d edits for %d guesses", got, races*players)
	}
	for n := range races {
		var want []string
		for p, at := range made[n] {
			place := 1
			for _, other := range made[n] {
				if other.Before(at) {
					place++
				}
			}
			want = append(want, fmt.Sprintf("**%d.** <@%s> in 1", place, user(n, p)))
		}
		slices.SortStableFunc(want, func(a, b string) int { return cmp.Compare(a[:4], b[:4]) }) // by place, and those who share one as they joined
		shown, _ := s.Shown(boards[n].MessageID)
		lines := slices.DeleteFunc(strings.Split(shown.Content, "\n"), func(line string) bool { return strings.HasPrefix(line, "🟩") })
		for i := range lines {
			lines[i], _, _ = strings.Cut(lines[i], ",")
		}
		if !strings.HasPrefix(lines[0], "**The race is over.**") || !slices.Equal(lines[1:], want) {
			t.Errorf("race %d shows\n%s\nwant\n%s", n, shown.Content, strings.Join(want, "\n"))
		}
	}
	for _, r := range s.Requests() {
		if r.Status == http.StatusTooManyRequests {
			t.Errorf("refused as one too many: %s %s", r.Method, r.Path)
		}
	}
}
