package admission

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// recorder counts what a queue does with requests.
type recorder struct {
	mu       sync.Mutex // protects everything below
	now      int        // worked on
	most     int        // at once
	done     map[string]int
	refused  map[Refusal]int
	answered map[Refusal]int
	waited   map[string]time.Duration // the longest, until it began
	oldest   time.Duration            // the greatest age at which work began
}

func newRecorder() *recorder {
	return &recorder{done: map[string]int{}, refused: map[Refusal]int{}, answered: map[Refusal]int{}, waited: map[string]time.Duration{}}
}

// asks is a request, and what becomes of it.
type asks struct {
	Request
	Run    func(context.Context)
	Refuse func(why Refusal, answer bool)
}

// submit has a request wait for its turn.
func submit(q *Queue, r asks) {
	ticket := q.Enter(r.Request)
	go func() {
		defer ticket.Done()
		if ctx, why, apology := ticket.Wait(); why == Admitted {
			r.Run(ctx)
		} else {
			r.Refuse(why, apology)
		}
	}()
}

// request returns a request that takes that long, or less if its context ends.
func (c *recorder) request(player, channel, server string, takes time.Duration) asks {
	came := time.Now()
	return asks{
		Request: Request{Player: player, Channel: channel, Server: server},
		Run: func(ctx context.Context) {
			c.mu.Lock()
			c.now++
			c.most = max(c.most, c.now)
			c.waited[player] = max(c.waited[player], time.Since(came))
			c.oldest = max(c.oldest, time.Since(came))
			c.mu.Unlock()
			select {
			case <-time.After(takes):
			case <-ctx.Done():
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.now--
			if ctx.Err() == nil {
				c.done[player]++
			}
		},
		Refuse: func(why Refusal, answer bool) {
			if answer {
				time.Sleep(100 * time.Millisecond) // as long as sending takes
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.refused[why]++
			if answer {
				c.answered[why]++
			}
		},
	}
}

// mustBeEmpty wants nothing left behind once all is done.
func mustBeEmpty(t *testing.T, q *Queue) {
	t.Helper()
	if left := q.Drain(time.Minute); left != 0 {
		t.Errorf("%d requests were not done", left)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.inFlight+q.waiting+q.apologies+len(q.players)+len(q.typing)+len(q.servers)+len(q.channels)+len(q.turns) != 0 {
		t.Errorf("left behind: %+v", q)
	}
}

// TestOnePlayer asks 700 times at once. Three are done; some of the others get an apology.
func TestOnePlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, c := NewQueue(Defaults), newRecorder()
		for range 700 {
			submit(q, c.request("ana", "c", "s", time.Second))
		}
		other := c.request("ben", "c", "s", time.Second)
		submit(q, other)
		synctest.Wait()
		if got := q.Stats(); got.InFlight != Defaults.PerPlayer+1 || got.Waiting != 0 {
			t.Errorf("%+v", got)
		}
		mustBeEmpty(t, q)
		if c.done["ana"] != Defaults.PerPlayer || c.done["ben"] != 1 || c.waited["ben"] != 0 {
			t.Errorf("done %v, waited %v", c.done, c.waited)
		}
		if c.refused[OneAtATime] != 700-Defaults.PerPlayer || c.answered[OneAtATime] != Defaults.Apologies {
			t.Errorf("refused %v, answered %v", c.refused, c.answered)
		}
		q = NewQueue(Defaults)
		for range 5 {
			submit(q, c.request("cleo", "c", "s", time.Millisecond))
			synctest.Wait()
			time.Sleep(time.Millisecond)
		}
		mustBeEmpty(t, q)
		if c.done["cleo"] != 5 {
			t.Errorf("one after another: %d were done", c.done["cleo"])
		}
	})
}

// TestBusyChannel: sixty people guess at once in one channel, and each guess takes as long as
// with Discord far away. All are answered.
func TestBusyChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, c := NewQueue(Defaults), newRecorder()
		for i := range 60 {
			submit(q, c.request(fmt.Sprint(i), "c", "s", 300*time.Millisecond))
		}
		mustBeEmpty(t, q)
		if len(c.done) != 60 || len(c.refused) != 0 || c.most != Defaults.PerChannel || c.oldest > 1500*time.Millisecond {
			t.Errorf("%d were done, refused %v, %d at once, the last after %v", len(c.done), c.refused, c.most, c.oldest)
		}
	})
}

// TestFlood has 600 people flood one server, or one channel each of many servers. A player
// elsewhere waits little or not at all; nothing is begun late; and all is bounded.
func TestFlood(t *testing.T) {
	for name, of := range map[string]struct {
		channel func(i int) string
		server  func(i int) string
		waits   time.Duration // at most
	}{
		"one channel":             {func(int) string { return "c" }, func(int) string { return "s" }, 0},
		"channels of a server":    {func(i int) string { return fmt.Sprint(i) }, func(int) string { return "s" }, 0},
		"channels of ten servers": {func(i int) string { return fmt.Sprint(i) }, func(i int) string { return fmt.Sprint(i % 10) }, 500 * time.Millisecond},
		"direct messages":         {func(i int) string { return fmt.Sprint(i) }, func(i int) string { return fmt.Sprint("channel ", i) }, 1500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q, c := NewQueue(Defaults), newRecorder()
				for second := range 5 {
					for i := range 600 {
						for range 5 {
							submit(q, c.request(fmt.Sprint(i), of.channel(i), of.server(i), 500*time.Millisecond))
						}
					}
					submit(q, c.request("elsewhere", "elsewhere", "elsewhere", time.Millisecond))
					if got := q.Stats(); got.InFlight > Defaults.InFlight || got.Waiting > Defaults.Waiting {
						t.Errorf("second %d: %+v", second, got)
					}
					time.Sleep(time.Second)
				}
				mustBeEmpty(t, q)
				if c.done["elsewhere"] != 5 || c.waited["elsewhere"] > of.waits {
					t.Errorf("elsewhere %d were done, after %v at most", c.done["elsewhere"], c.waited["elsewhere"])
				}
				if c.oldest > Defaults.MaxWait {
					t.Errorf("work began after %v", c.oldest)
				}
				if c.refused[OneAtATime] == 0 || c.answered[OneAtATime] == c.refused[OneAtATime] {
					t.Errorf("refused %v, answered %v", c.refused, c.answered)
				}
			})
		})
	}
}

// TestWaitingIsBounded in a server, and in all.
func TestWaitingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Defaults
		l.InFlight, l.PerServer, l.Waiting, l.WaitingPerServer = 2, 1, 5, 3
		q, c := NewQueue(l), newRecorder()
		ask := func(server string, n int) {
			for i := range n {
				submit(q, c.request(fmt.Sprint(server, i), fmt.Sprint(server, i), server, 800*time.Millisecond))
			}
			synctest.Wait()
		}
		ask("a", 6)
		if got := q.Stats(); got != (Stats{1, 3}) {
			t.Errorf("one server: %+v", got)
		}
		ask("b", 3)
		if got := q.Stats(); got != (Stats{2, 5}) {
			t.Errorf("two servers: %+v", got)
		}
		ask("c", 1)
		if got := q.Stats(); got != (Stats{2, 5}) {
			t.Errorf("three servers: %+v", got)
		}
		mustBeEmpty(t, q)
		// Two rounds are done at 1.6 s, and a third begins then; what waits at 2 s is refused.
		if want := map[Refusal]int{Busy: 4}; !maps.Equal(c.refused, want) || !maps.Equal(c.answered, want) || len(c.done) != 6 {
			t.Errorf("refused %v, answered %v, done %v", c.refused, c.answered, c.done)
		}
	})
}

// TestAge: what comes too late is not begun, and what has waited for too long is refused
// in time for an answer.
func TestAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Defaults
		l.InFlight = 1
		q, c := NewQueue(l), newRecorder()
		aged := func(player string, age time.Duration) {
			r := c.request(player, player, "s", 1500*time.Millisecond)
			r.Age = age
			submit(q, r)
		}
		aged("too old", l.MaxAge)
		synctest.Wait()
		if c.refused[Expired] != 1 || c.answered[Expired] != 0 {
			t.Errorf("refused %v, answered %v", c.refused, c.answered)
		}
		aged("first", l.MaxAge-1)
		aged("old", time.Second)
		aged("young", 0)
		time.Sleep(l.MaxWait - time.Second - 1)
		synctest.Wait()
		c.mu.Lock()
		if len(c.refused) != 1 {
			t.Errorf("before its time: %v", c.refused)
		}
		c.mu.Unlock()
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		c.mu.Lock()
		if c.answered[Busy] != 1 {
			t.Errorf("at its time: %v, %v", c.refused, c.answered)
		}
		c.mu.Unlock()
		mustBeEmpty(t, q)
		if c.done["first"] != 1 || c.done["young"] != 1 || len(c.done) != 2 {
			t.Errorf("done %v", c.done)
		}
	})
}

// TestCompletions: of 3000 completions only the newest is worked on to its end. They do not keep the player from playing.
func TestCompletions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, c := NewQueue(Defaults), newRecorder()
		ended := make(chan int, 3000)
		for i := range 3000 {
			r := c.request("ana", "c", "s", 0)
			r.Completion = true
			r.Run = func(ctx context.Context) {
				select {
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
					ended <- i
				}
			}
			submit(q, r)
			if i%100 == 0 {
				time.Sleep(time.Millisecond)
				synctest.Wait()
			}
		}
		submit(q, c.request("ana", "c", "s", time.Millisecond))
		mustBeEmpty(t, q)
		if len(ended) != 1 || <-ended != 2999 || c.done["ana"] != 1 || len(c.answered) != 0 {
			t.Errorf("%d to the end, %d commands, answered %v", len(ended), c.done["ana"], c.answered)
		}
		for range 2 { // after one is done there is nothing to supersede
			r := c.request("ben", "c", "s", time.Millisecond)
			r.Completion = true
			q = NewQueue(Defaults)
			submit(q, r)
			mustBeEmpty(t, q)
		}
		if c.done["ben"] != 2 {
			t.Errorf("%d of 2", c.done["ben"])
		}
	})
}

// TestServersTakeTurns: a server's next request comes after one of each other server.
func TestServersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Defaults
		l.InFlight = 1
		q := NewQueue(l)
		order := ""
		ask := func(server string, n int) {
			for i := range n {
				submit(q, asks{
					Request: Request{Player: fmt.Sprint(server, i), Channel: fmt.Sprint(server, i), Server: server},
					Run:     func(context.Context) { order += server; time.Sleep(time.Millisecond) },
					Refuse:  func(Refusal, bool) { t.Error("refused") },
				})
			}
		}
		ask("a", 5)
		ask("b", 3)
		ask("c", 1)
		mustBeEmpty(t, q)
		if order != "aabcababa" {
			t.Errorf("got %s", order)
		}
	})
}

// TestDrain: at the end all that was taken is answered. What is not done in time is
// cancelled, or refused without an answer.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Defaults
		l.InFlight, l.MaxWait, l.MaxAge = 1, time.Hour, time.Hour
		q, c := NewQueue(l), newRecorder()
		for i := range 5 {
			submit(q, c.request(fmt.Sprint(i), "c", "s", 4*time.Second))
		}
		began := time.Now()
		if left := q.Drain(10 * time.Second); left != 3 || time.Since(began) != 10*time.Second {
			t.Errorf("%d were left after %v", left, time.Since(began))
		}
		synctest.Wait()
		if want := map[Refusal]int{Stopping: 2}; len(c.done) != 2 || !maps.Equal(c.refused, want) || len(c.answered) != 0 {
			t.Errorf("done %v, refused %v, answered %v", c.done, c.refused, c.answered)
		}
		submit(q, c.request("late", "c", "s", time.Second))
		synctest.Wait()
		if c.refused[Stopping] != 3 {
			t.Errorf("after the end: %v", c.refused)
		}
		mustBeEmpty(t, q)
	})
}
