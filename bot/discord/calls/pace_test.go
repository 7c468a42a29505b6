package calls

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/discordtest"
)

// TestPace: calls by the bot's token leave at the spacing, also while the others' turns are not known. Those by the
// token of an interaction do not wait for them, and one whose context ends does not leave.
func TestPace(t *testing.T) {
	for name, turn := range map[string]func(context.Context, time.Duration) (time.Time, error){
		"alone": nil,
		"not reached": func(ctx context.Context, _ time.Duration) (time.Time, error) {
			return time.Time{}, errors.New("no connection")
		},
		"silent": func(ctx context.Context, _ time.Duration) (time.Time, error) {
			<-ctx.Done()
			return time.Time{}, ctx.Err()
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			left := make(chan time.Time, 1000)
			c := New(Options{Log: slog.New(slog.DiscardHandler), Spacing: 2 * time.Second, Turn: turn, Transport: discordtest.Transport(func(m discordtest.Made) (string, error) {
				left <- time.Now()
				return "1", nil
			})})
			const n = 20
			for i := range n {
				go func() {
					if i%2 == 0 {
						_, err := c.Post(t.Context(), "1", hi)
						must(t, err)
					} else {
						must(t, c.EditByBot(t.Context(), "1", "2", hi))
					}
				}()
			}
			<-left
			time.Sleep(time.Second / 2)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
			defer cancel()
			if err := c.EditByBot(ctx, "2", "3", hi); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v", name, err)
			}
			asked := time.Now()
			must(t, c.EditByToken(t.Context(), "1", "token", Original, hi))
			if waited := (<-left).Sub(asked); waited > 0 {
				t.Errorf("%s: a call with an interaction's token waited for %v", name, waited)
			}
			var last time.Time
			for range n - 1 {
				at := <-left
				if gap := at.Sub(last); gap < 2*time.Second || !last.IsZero() && gap > 4*time.Second { // one may have ended whose turn it was
					t.Errorf("%s: calls left %v apart", name, gap)
				}
				last = at
			}
		})
	}
}

// TestPostsLetOthersGo: behind a thousand posts, another call waits for the few that have their turn.
func TestPostsLetOthersGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := New(Options{Log: slog.New(slog.DiscardHandler), Spacing: Spacing, Transport: discordtest.Transport(func(discordtest.Made) (string, error) { return "1", nil })})
		for range 1000 {
			go func() { _, _ = c.Call(ctx, http.MethodPost, discordgo.EndpointChannelMessages("1"), hi) }()
		}
		time.Sleep(time.Second)
		began := time.Now()
		must(t, c.EditByBot(t.Context(), "1", "2", hi))
		if waited := time.Since(began); waited > 3*ahead*Spacing {
			t.Errorf("it waited for %v", waited)
		}
	})
}
