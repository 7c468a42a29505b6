package daypost_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/daypost"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/picture"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/game/wordle"
	"fivefold/game/work"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
	"fivefold/storage/record"
)

// place is where posts are made in these tests: as on Discord, a nonce is enforced for two minutes.
type place struct {
	store   *storage.Store
	clock   func() time.Time
	mu      sync.Mutex // protects all below
	posts   []posted
	err     error  // of the next posts
	lost    bool   // posts are made, and the answer is an error
	posting func() // called, once, before a post is made

	threads           map[string]string // by message: channel and name
	noThread, noRoles error             // of the next threads, and of asking for roles
}

type posted struct {
	in    game.ChannelID
	at    time.Time
	nonce string
	pending
	reply bot.Reply
}

// pending is the stored record of a post that is being made.
type pending struct {
	Channel  game.ChannelID
	Day      string
	From, To int
}

func (p *place) Post(ctx context.Context, in game.ChannelID, r bot.Reply, nonce string) (string, error) {
	return nonce, p.post(ctx, in, r, nonce)
}

func (p *place) post(ctx context.Context, in game.ChannelID, r bot.Reply, nonce string) error {
	once(&p.posting)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil && !p.lost {
		return p.err
	}
	now := p.clock()
	for _, made := range p.posts {
		if made.nonce == nonce && now.Sub(made.at) < 2*time.Minute {
			return p.err
		}
	}
	made := posted{in: in, at: now, nonce: nonce, reply: r}
	err := p.store.DayPosts(ctx, func(_ game.GuildID, data []byte) {
		if s, err := record.Decode[struct{ Pending *pending }](data); err == nil && s.Pending != nil && s.Pending.Channel == in {
			made.pending = *s.Pending
		}
	})
	p.posts = append(p.posts, made)
	return cmp.Or(p.err, err)
}

func (p *place) Thread(_ context.Context, in game.ChannelID, message, name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.noThread != nil {
		return p.noThread
	}
	if p.threads == nil {
		p.threads = map[string]string{}
	}
	if p.threads[message] == "" {
		p.threads[message] = string(in) + ": " + name
	}
	return nil
}

func (p *place) HasRole(_ context.Context, _ game.GuildID, r game.RoleID) (bool, error) {
	return r != "gone", p.noRoles
}

func (p *place) Direct(ctx context.Context, to game.PlayerID, r bot.Reply, nonce string) error {
	return p.post(ctx, "direct "+game.ChannelID(to), r, nonce)
}

func once(f *func()) {
	if call := *f; call != nil {
		*f = nil
		call()
	}
}

// world is a store, what the log has, and the time.
type world struct {
	t    *testing.T
	log  bytes.Buffer
	now  time.Time
	sets int
	place
}

func newWorld(t *testing.T, now string) *world {
	t.Helper()
	w := &world{t: t, place: place{store: storage.New(&orderedtest.Memory{}, kinds.Codecs(), storage.Options{})}}
	w.at(now)
	w.clock = func() time.Time { return w.now }
	return w
}

// at moves the clock to a time in UTC.
func (w *world) at(text string) {
	w.t.Helper()
	at, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		w.t.Fatal(err)
	}
	w.now = at
}

func (w *world) process() *daypost.Handlers {
	return &daypost.Handlers{
		Settings: settings.Store{Records: w.store, Now: w.clock}, Records: w.store, Games: &matches.Manager{Store: w.store, Now: w.clock}, Finished: &finished.Matches{Store: w.store}, Statistics: w.store, Reminders: w.store, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	}
}

// set chooses the channel, the hour or "off", and the zone of a server's post.
func (w *world) set(guild, channel, hour string, zone ...string) {
	w.t.Helper()
	w.sets++
	r := bot.Request{ID: game.RequestID(strconv.Itoa(w.sets)), Player: "mia", Location: game.Location{Guild: game.GuildID(guild)}}
	_, err := w.process().Settings.Change(w.t.Context(), r, 0, func(_ settings.Settings, s *settings.Settings) error {
		s.PostChannel = game.ChannelID(channel)
		if s.PostHour, _ = strconv.Atoi(hour); hour == "off" {
			s.PostChannel = ""
		}
		s.PostZone = strings.Join(append(zone, s.PostZone)[:1], "")
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// refusal returns the text that /settings shows.
func (w *world) refusal(guild game.GuildID) string {
	w.t.Helper()
	line, err := w.process().Refusal(w.t.Context(), guild)
	if err != nil {
		w.t.Fatal(err)
	}
	return bot.Reply{Blocks: bot.Lines(line)}.String()
}

func (w *world) post(h *daypost.Handlers) {
	w.t.Helper()
	if err := h.PostDue(w.t.Context(), &w.place); err != nil {
		w.t.Error(err)
	}
}

// want compares the posts with "date from-to" of each.
func (w *world) want(want ...string) {
	w.t.Helper()
	var got []string
	for _, p := range w.posts {
		got = append(got, fmt.Sprintf("%s %d-%d", p.Day, p.From, p.To))
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		w.t.Errorf("the posts are %q, want %q; the log has %s", got, want, &w.log)
	}
}

// TestOutage: after days without the bot there is one post, for the present day and once its hour has come. It reports what has
// ended meanwhile, a week at most.
func TestOutage(t *testing.T) {
	w := newWorld(t, "2026-11-01 08:00")
	w.set("g", "c", "9", "UTC")
	for _, at := range []string{"2026-11-01 08:59", "2026-11-01 09:00", "2026-11-01 23:00", "2026-11-04 08:30", "2026-11-04 22:00", "2026-11-20 09:01", "2026-11-20 09:02"} {
		w.at(at)
		w.post(w.process())
	}
	w.want("2026-11-01 304-304", "2026-11-04 305-307", "2026-11-20 317-323")
}

// TestSetAgain: on one date there is one post, however often the hour, the zone and the channel are set.
func TestSetAgain(t *testing.T) {
	w := newWorld(t, "2026-11-01 12:00")
	h := w.process()
	w.set("g", "c", "9", "Asia/Tokyo") // 21:00 there: at once
	w.post(h)
	w.set("g", "d", "22")
	w.at("2026-11-01 13:30")
	w.post(h)
	w.set("g", "d", "off")
	w.set("g", "d", "23", "Asia/Tokyo")
	w.at("2026-11-01 14:30")
	w.post(h)
	w.set("g", "e", "0", "America/New_York") // 2026-11-01 there too
	w.post(h)
	w.want("2026-11-01 304-304")
	w.at("2026-11-02 05:00") // midnight there
	w.post(h)
	w.want("2026-11-01 304-304", "2026-11-02 305-305")
	if got := w.posts[1].in; got != "e" {
		t.Errorf("it is posted in %s", got)
	}
}

// TestRefused: a post that is refused is tried again for an hour, and then no more, with one line in the log and in the reply,
// until the post is set again.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		hour  string
		tries string // minutes after the first one
	}{
		{"9", "[0 1 2 4 8 16 32 64]"},
		{"23", "[0 1 2 4 8 16 32 1440]"}, // the day is over meanwhile
	} {
		w := newWorld(t, "2026-11-01 "+c.hour+":00")
		began := w.now
		h := w.process()
		w.set("g", "c", c.hour, "UTC")
		w.err = bot.Refused("Thread is archived")
		var tries []int
		for range 3 * 24 * 60 {
			w.posting = func() { tries = append(tries, int(w.now.Sub(began).Minutes())) }
			w.post(h)
			if got := w.refusal("g"); w.now == began && !strings.Contains(got, "Discord refused the latest one.") {
				t.Errorf("after the first try: %s", got)
			}
			w.now = w.now.Add(time.Minute)
		}
		if got := fmt.Sprint(tries); got != c.tries {
			t.Errorf("at %s it was tried after %s minutes, want %s", c.hour, got, c.tries)
		}
		if n := strings.Count(w.log.String(), "\n"); n != 1 || !strings.Contains(w.log.String(), "stopped the daily post of a server") || !strings.Contains(w.log.String(), "Thread is archived") {
			t.Errorf("the log has %.300s", w.log.String())
		}
		if got := w.refusal("g"); !strings.Contains(got, "The daily post has stopped. Discord refused it in c for an hour: “Thread is archived”.") {
			t.Errorf("got %s", got)
		}
		w.set("g", "c", "off")
		w.set("g", "c", c.hour)
		if got := w.refusal("g"); got != "\n" {
			t.Errorf("once it is tried again: %s", got)
		}
		w.err, w.posting = nil, nil
		w.post(h)
		w.set("g", "c", "0")
		w.post(h)
		w.want("2026-11-04 307-307")
	}
}

// TestRefusedOnce: a post is made once Discord takes it again, and the hour of a later refusal begins with that one.
func TestRefusedOnce(t *testing.T) {
	w := newWorld(t, "2026-11-01 09:00")
	h := w.process()
	w.set("g", "c", "9", "UTC")
	for range 3 {
		for minute := range 24 * 60 {
			if w.err = nil; minute < 59 {
				w.err = bot.Refused("Missing Permissions")
			}
			w.post(h)
			w.now = w.now.Add(time.Minute)
		}
	}
	w.want("2026-11-01 304-304", "2026-11-02 305-305", "2026-11-03 306-306")
	if text := w.log.String(); text != "" {
		t.Errorf("the log has %s", text)
	}
}

// TestErrors: a post that may have been made when there was an error is sent again while its nonce holds, and counts as made
// later. The next one comes in any case.
func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		made  bool          // the first one, in spite of the error
		after time.Duration // when the error is over
		want  int           // posts of the day
	}{
		"lost answer":            {true, time.Minute, 1},
		"lost post":              {false, time.Minute, 1},
		"lost answer for longer": {true, 2 * time.Minute, 1},
		"lost post for longer":   {false, 2 * time.Minute, 0},
	} {
		w := newWorld(t, "2026-11-01 12:00")
		h := w.process()
		w.set("g", "c", "9", "UTC")
		w.err, w.lost = errors.New("the line was cut"), c.made
		w.post(h)
		w.err = nil
		w.now = w.now.Add(c.after)
		w.post(h)
		w.post(h)
		if len(w.posts) != c.want {
			t.Errorf("%s: %d posts; the log has %s", name, len(w.posts), &w.log)
		}
		w.at("2026-11-02 12:00")
		w.post(h)
		if last := w.posts[len(w.posts)-1]; len(w.posts) != c.want+1 || last.Day != "2026-11-02" {
			t.Errorf("%s: %d posts on the next day, the last one with %v", name, len(w.posts), last.pending)
		}
	}
}

// mortal is a process that dies at a call to the store or to Discord: before the call, or after it but before its answer.
type mortal struct {
	daypost.Records
	*place
	after bool
	turn  sync.Mutex // protects calls
	calls int        // until it dies
}

func (m *mortal) do(call func() error) error {
	m.turn.Lock()
	m.calls--
	left := m.calls
	m.turn.Unlock()
	if left < 0 || left == 0 && !m.after {
		return errors.New("the process has died")
	}
	if err := call(); left > 0 {
		return err
	}
	return errors.New("the process has died")
}

func (m *mortal) DayPost(ctx context.Context, guild game.GuildID) (data []byte, err error) {
	err = m.do(func() error { data, err = m.Records.DayPost(ctx, guild); return err })
	return data, err
}

func (m *mortal) ChangeDayPost(ctx context.Context, guild game.GuildID, change func(_, _ []byte) ([]byte, error)) error {
	return m.do(func() error { return m.Records.ChangeDayPost(ctx, guild, change) })
}

func (m *mortal) Thread(ctx context.Context, in game.ChannelID, message, name string) error {
	return m.do(func() error { return m.place.Thread(ctx, in, message, name) })
}

func (m *mortal) Post(ctx context.Context, in game.ChannelID, r bot.Reply, nonce string) (string, error) {
	return nonce, m.do(func() error { return m.place.post(ctx, in, r, nonce) })
}

// TestDeaths: for two months in which each process dies, no day comes twice, no puzzle is reported twice, and only a death while
// a post is sent costs one.
func TestDeaths(t *testing.T) {
	w := newWorld(t, "2026-11-01 12:07")
	zones := []string{"Europe/Berlin", "America/New_York", "Pacific/Auckland"}
	for n, zone := range zones {
		w.set("g"+strconv.Itoa(n), "c"+strconv.Itoa(n), strconv.Itoa(11*n), zone)
	}
	random := rand.New(rand.NewPCG(27, 4))
	const days = 60
	deaths := 0
	for end := w.now.AddDate(0, 0, days); w.now.Before(end); w.now = w.now.Add(time.Duration(1+random.IntN(30)) * time.Minute) {
		m := &mortal{Records: w.store, place: &w.place, calls: 1 + random.IntN(12), after: random.IntN(2) == 0}
		w.posting = nil
		h := w.process()
		h.Records = m
		if err := h.PostDue(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		if m.calls <= 0 {
			deaths++
		}
	}
	count, last := map[string]int{}, map[game.ChannelID]int{}
	for _, p := range w.posts {
		from, to := p.From, p.To
		if day := string(p.in) + " " + p.Day; count[day] > 0 {
			t.Errorf("two posts of %s", day)
		} else if count[day]++; from <= last[p.in] && to > last[p.in] {
			t.Errorf("the post of %s reports %d to %d, after %d", day, from, to, last[p.in])
		}
		last[p.in] = to
	}
	if all := len(zones) * days; len(w.posts) < all*3/4 || len(w.posts) == all || deaths < 50 {
		t.Errorf("%d posts of %d, and %d deaths", len(w.posts), all, deaths)
	}
}

// stale is what a process has read that stood still for a while after that.
type stale struct {
	*storage.Store
	read, chosen []byte
}

func (s stale) DayPost(context.Context, game.GuildID) ([]byte, error)      { return s.read, nil }
func (s stale) ServerChoice(context.Context, game.GuildID) ([]byte, error) { return s.chosen, nil }
func (s stale) DayPosts(_ context.Context, each func(game.GuildID, []byte)) error {
	each("g", s.read)
	return nil
}
func (s stale) ServerChoices(_ context.Context, each func(game.GuildID, []byte)) error {
	each("g", s.chosen)
	return nil
}

// TestStale: a process that stood still for an hour posts nothing that another one has posted, or that is wanted elsewhere by
// now.
func TestStale(t *testing.T) {
	for name, meanwhile := range map[string]func(*world){
		"posted":       func(w *world) { w.post(w.process()) },
		"elsewhere":    func(w *world) { w.set("g", "d", "12") },
		"off":          func(w *world) { w.set("g", "c", "off") },
		"being posted": func(w *world) { w.err = errors.New("cut"); w.post(w.process()); w.err = nil },
		"stopped": func(w *world) {
			w.err = bot.Refused("Unknown Channel")
			for range 70 {
				w.post(w.process())
				w.now = w.now.Add(time.Minute)
			}
			w.err = nil
		},
	} {
		w := newWorld(t, "2026-11-01 12:00")
		w.set("g", "c", "9", "UTC")
		h := w.process()
		read, err := w.store.DayPost(t.Context(), "g")
		chosen, failed := w.store.ServerChoice(t.Context(), "g")
		if err := errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		old := stale{w.store, read, chosen}
		h.Records, h.Settings.Records = old, old
		meanwhile(w)
		before := len(w.posts)
		w.now = w.now.Add(time.Hour)
		w.post(h)
		if len(w.posts) != before {
			t.Errorf("%s: it was posted", name)
		}
	}
}

// TestSetMeanwhile: what is set while a post is made, or before it is known whether it was made, holds.
func TestSetMeanwhile(t *testing.T) {
	w := newWorld(t, "2026-11-01 12:00")
	w.set("g", "c", "9", "UTC")
	w.err, w.lost = errors.New("cut"), true
	w.post(w.process())
	w.err, w.lost = nil, false
	w.at("2026-11-12 12:00")
	w.set("g", "c", "off")
	w.set("g", "c", "9", "UTC")
	w.post(w.process()) // of one puzzle, as whenever posts begin
	w.want("2026-11-01 304-304", "2026-11-12 315-315")
	w.at("2026-11-13 12:00")
	w.err = bot.Refused("Unknown Channel")
	w.posting = func() { w.set("g", "d", "9") }
	w.post(w.process())
	w.err = nil
	w.post(w.process())
	w.want("2026-11-01 304-304", "2026-11-12 315-315", "2026-11-13 316-316")
}

// always lets every process work.
type always struct{}

func (always) TakeWork(context.Context, string, time.Duration) (work.Work, bool, error) {
	return work.Work{}, true, nil
}
func (always) EndWork(context.Context, work.Work, time.Duration) error { return nil }

// TestTogether: of processes that share a store, one makes the posts; and if two do at once, each post is made once.
func TestTogether(t *testing.T) {
	for _, shared := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, "2026-11-01 07:30")
			w.clock = time.Now
			time.Sleep(time.Until(time.Date(2026, 11, 1, 7, 30, 0, 0, time.UTC)))
			guilds := 40
			for n := range guilds {
				w.set("g"+strconv.Itoa(n), "c"+strconv.Itoa(n), strconv.Itoa(8+n%3), "UTC")
			}
			ctx, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			for range 3 {
				work := work.Store(w.store)
				if !shared {
					work = always{}
				}
				h := w.process()
				all.Go(func() { h.Keep(ctx, work, &w.place) })
			}
			const days = 2
			time.Sleep(days * 24 * time.Hour)
			stop()
			all.Wait()
			count := map[string]int{}
			for _, p := range w.posts {
				count[string(p.in)+p.Day]++
				if late := p.at.Sub(p.at.Truncate(time.Hour)); late > 2*time.Minute {
					t.Errorf("a post came at %v", p.at)
				}
			}
			if len(count) != guilds*days || len(w.posts) != len(count) {
				t.Errorf("shared %v: %d posts of %d, want %d", shared, len(w.posts), len(count), guilds*days)
			}
		})
	}
}

// crowd is a store of servers in which a thousand players have lost every daily puzzle, with hints.
type crowd struct {
	*storage.Store
	match game.Match
}

func (c crowd) Daily(_ context.Context, _ game.Kind, _ game.GuildID, _, limit int) (statistics.DailyResults, error) {
	r := statistics.DailyResults{Players: 1000}
	for i := range limit {
		r.Listed = append(r.Listed, statistics.DailyResult{Player: "12345678901234567890", Match: []game.MatchID{c.match.ID, "cleared"}[i%2], Guesses: 6, Limit: 6, Hints: 6})
	}
	return r, nil
}

func (c crowd) LoadSlots(_ context.Context, slots []game.Slot, _ bool) ([]matches.Loaded, error) {
	return slices.Repeat([]matches.Loaded{{Match: c.match}}, len(slots)), nil
}

// streaks is a store of a server that has solved every daily puzzle but one. Two of its players have the lowest average in every month.
type streaks struct {
	statistics.Store
	lost int
}

func (s streaks) SolvedDays(_ context.Context, _ game.Kind, _ game.GuildID, from, to int) (all []int, err error) {
	for n := from; n <= to; n++ {
		if n != s.lost {
			all = append(all, n)
		}
	}
	return all, nil
}

func (s streaks) Leaderboard(_ context.Context, sc statistics.Scope, _ game.PlayerID, _ statistics.Rows) (statistics.Leaderboard, error) {
	var b statistics.Leaderboard
	for place, player := range []game.PlayerID{"ana of " + game.PlayerID(sc.Month), "ben", "cleo"} {
		b.Rows = append(b.Rows, statistics.Row{Totals: statistics.Totals{Player: player, Daily: statistics.Counts{Played: 5, Won: 5, Distribution: []int{2: 5}}}, Rank: max(1, place)})
	}
	return b, nil
}

// TestReport: a post tells the server's streak, however long, and the first one after a month has closed who has won it.
func TestReport(t *testing.T) {
	w := newWorld(t, "2026-11-01 12:00")
	w.set("g", "c", "9", "UTC")
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	h := w.process()
	h.Faces = kinds.All(kinds.Parts{Lists: lists}).Faces()[:1]
	h.Statistics = streaks{w.store, 100}
	awards := func(off bool) {
		w.sets++
		r := bot.Request{ID: game.RequestID(strconv.Itoa(w.sets)), Player: "mia", Location: game.Location{Guild: "g"}}
		_, err := h.Settings.Change(t.Context(), r, 0, func(_ settings.Settings, s *settings.Settings) error { s.NoAwards = off; return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		at             string
		streak, winner string
	}{
		{"2026-11-01 12:00", "204 days", "2026-09"}, // October's puzzles are open for another day
		{"2026-11-02 12:00", "205 days", "2026-10"},
		{"2026-11-03 12:00", "206 days", ""},
		{"2026-12-02 12:00", "235 days", "2026-11"},
		{"2027-01-02 12:00", "266 days", ""}, // without awards
		{"2027-02-02 12:00", "297 days", "2027-01"},
	} {
		w.at(c.at)
		awards(strings.HasPrefix(c.at, "2027-01"))
		w.post(h)
		text := w.posts[len(w.posts)-1].reply.String()
		if !strings.Contains(text, c.streak) || strings.Contains(text, "ana of") != (c.winner != "") || !strings.Contains(text, c.winner) ||
			strings.Contains(text, "ben") != (c.winner != "") || strings.Contains(text, "cleo") {
			t.Errorf("at %s: got\n%s", c.at, text)
		}
	}
}

// TestCrowd: however many have played, and after however long an outage, a post and its tiles fit into a message.
func TestCrowd(t *testing.T) {
	w := newWorld(t, "2026-11-01 12:00")
	w.set("g", "c", "9", "UTC")
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	state := wordle.NewState(wordle.MustParse("slate"), marks.Off)
	match := game.Match{ID: "m", Location: game.Location{Guild: "g", Channel: "c"}, Version: 7, Starter: "ana", Kind: wordgame.Kind}
	for i, wrong := range []string{"brick", "shave", "mound", "fuzzy", "grape", "crane"} {
		if state, err = state.Guess(wordle.MustParse(wrong)); err != nil {
			t.Fatal(err)
		}
		match.Moves = append(match.Moves, game.Move{Player: "ana", Version: uint64(i + 2)})
	}
	match.State = state
	h := w.process()
	h.Faces = slices.Repeat(kinds.All(kinds.Parts{Lists: lists}).Faces()[:1], 2) // as if there were two kinds like it
	h.Games.Store, h.Statistics = crowd{w.store, match}, crowd{w.store, match}
	for _, more := range []time.Duration{0, 24 * time.Hour, 30 * 24 * time.Hour} {
		w.now = w.now.Add(more)
		w.post(h)
		reply := w.posts[len(w.posts)-1].reply
		p := reply.Picture()
		if text := reply.String(); bottest.Size(reply) > 4000 || p == nil || !strings.Contains(text, "And 1976 more.") || !strings.Contains(text, "Yesterday: 1000 played") ||
			strings.Contains(text, "👑") || strings.Count(text, "(") != picture.MostBoards/2 {
			t.Errorf("after %v: %d characters in\n%s", more, bottest.Size(reply), text)
		}
	}
	if len(w.posts) != 3 {
		t.Errorf("%d posts", len(w.posts))
	}
}
