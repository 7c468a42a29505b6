package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/daypost"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/storage"
	"fivefold/storage/ordered"
)

// mortal is a process that can die at any call to the store or to Discord: before the call, or after it but
// before its answer.
type mortal struct {
	daypost.Records
	bot.Channels

	mu    sync.Mutex // protects the fields below
	calls int        // until it dies; 0 for never
	after bool       // whether the last call takes effect
	dead  bool
}

var errDead = errors.New("the process has died")

func (m *mortal) do(call func() error) error {
	m.mu.Lock()
	dies := m.calls == 1
	m.calls = max(0, m.calls-1)
	skip := m.dead || dies && !m.after
	m.dead = m.dead || dies
	m.mu.Unlock()
	if skip {
		return errDead
	}
	err := call()
	if dies {
		return errDead
	}
	return err
}

func (m *mortal) DayPost(ctx context.Context, guild game.GuildID) (data []byte, err error) {
	err = m.do(func() error { data, err = m.Records.DayPost(ctx, guild); return err })
	return data, err
}

func (m *mortal) ChangeDayPost(ctx context.Context, guild game.GuildID, change func([]byte) ([]byte, error)) error {
	return m.do(func() error { return m.Records.ChangeDayPost(ctx, guild, change) })
}

func (m *mortal) Post(ctx context.Context, in game.ChannelID, r bot.Reply, nonce string) error {
	return m.do(func() error { return m.Channels.Post(ctx, in, r, nonce) })
}

func (m *mortal) MayHavePosted(ctx context.Context, in game.ChannelID, since time.Time, b bot.Button) (may bool, err error) {
	err = m.do(func() error { may, err = m.Channels.MayHavePosted(ctx, in, since, b); return err })
	return may, err
}

// days is a fake Discord with servers that want their day posted, and a clock.
type days struct {
	t       *testing.T
	discord *discordtest.Server
	store   *storage.Store
	front   *front
	now     time.Time
	guilds  []guildDay
	longest int                     // streak that a post had to tell
	solved  map[string]map[int]bool // which daily puzzles somebody in a server has solved; false if one was lost
}

// guildDay is a server, and when it wants its day.
type guildDay struct {
	guild, channel, zone string
	hour                 int
}

// mustDays begins at a time, at which each server has just said when it wants its day.
func mustDays(t *testing.T, begin time.Time, hours []int, zones ...string) *days {
	t.Helper()
	d := &days{t: t, store: storage.New(&ordered.Memory{}, kinds.Codecs(), storage.Options{}), now: begin, solved: map[string]map[int]bool{}}
	t.Cleanup(func() { must(t, d.store.Close()) })
	d.discord = discordtest.New(t, discordtest.Options{Now: func() time.Time { return d.now }})
	o := Options{
		Token: d.discord.Token(), BaseURL: mustURL(t, d.discord.URL()), Bot: &bot.Bot{Table: table()}, Log: slog.New(slog.DiscardHandler), Observer: unobserved{},
	}
	d.front = newFront(o, o.client(patient(defaultTimings)), patient(defaultTimings))
	for _, zone := range zones {
		for _, hour := range hours {
			n := len(d.guilds)
			g := guildDay{strconv.Itoa(1600000000000000100 + n), strconv.Itoa(1300000000000000100 + n), zone, hour}
			d.guilds = append(d.guilds, g)
			d.discord.SetGuild(discordtest.Guild{ID: g.guild})
			d.discord.SetChannel(discordtest.Channel{ID: g.channel, Guild: g.guild})
			d.set(g)
		}
	}
	return d
}

// play has a player in a server finish today's puzzle.
func (d *days) play(g guildDay, won bool) {
	d.t.Helper()
	h := mustHandlers(d.t, d.store, hiddenWord, slog.New(slog.DiscardHandler))
	h.games.Now = func() time.Time { return d.now }
	h.games.Store, h.games.Pick = d.store, nil // each day has a word of its own
	number, target := h.games.Today(), game.Target{Kind: wordgame.Kind, Mode: game.Daily}
	by := game.Origin{
		Request: game.RequestID(g.guild + "-" + strconv.Itoa(number)), Player: game.PlayerID("player of " + g.guild),
		Location: game.Location{Guild: game.GuildID(g.guild), Channel: game.ChannelID(g.channel)},
	}
	m, err := h.games.Start(d.t.Context(), by, game.StartOptions{Kind: target.Kind, Mode: target.Mode})
	must(d.t, err)
	by.Request += "-end"
	if won {
		_, err = h.games.Move(d.t.Context(), by, target, m.State.Answer())
		must(d.t, err)
	} else {
		_, err = h.games.Stop(d.t.Context(), by, target, false, true)
		must(d.t, err)
	}
	if d.solved[g.guild] == nil {
		d.solved[g.guild] = map[int]bool{}
	}
	d.solved[g.guild][number] = won
}

// text is what a server's post must say. It names the winners of the month, unless month is zero.
func (d *days) text(g guildDay, p made, from int, month time.Time) string {
	var b strings.Builder
	score, played := 0, 0
	for at := month; at.Month() == month.Month() && !month.IsZero(); at = at.AddDate(0, 0, 1) {
		if won, there := d.solved[g.guild][game.DailyNumber(at)]; won {
			score, played = score+1, played+1
		} else if there {
			score, played = score+7, played+1
		}
	}
	if played >= 5 {
		fmt.Fprintf(&b, "👑 player of %s won %s in Word game: %.2f on average.\n", g.guild, month.Month(), float64(score)/float64(played))
	}
	for n := from; n <= p.to; n++ {
		fmt.Fprintf(&b, "**Results of daily puzzle %d**", n)
		switch won, played := d.solved[g.guild][n]; {
		case won:
			b.WriteString("\nWord game: player of " + g.guild + " 1/6\n")
		case played:
			b.WriteString("\nWord game: player of " + g.guild + " X/6\n")
		default:
			b.WriteString(": nobody here has played it.\n")
		}
	}
	streak := 0
	for d.solved[g.guild][p.to-streak] {
		streak++
	}
	d.longest = max(d.longest, streak)
	if streak == 1 {
		b.WriteString("This server's streak: **1 day**.\n")
	} else if streak > 1 {
		fmt.Fprintf(&b, "This server's streak: **%d days**.\n", streak)
	}
	fmt.Fprintf(&b, "**Today:** daily puzzle %d", p.to+1)
	return b.String()
}

// process returns the handlers of a new process.
func (d *days) process(m *mortal) *daypost.Handlers {
	h := mustHandlers(d.t, d.store, hiddenWord, slog.New(slog.DiscardHandler))
	h.games.Now = func() time.Time { return d.now }
	if m != nil {
		m.Records, m.Channels = d.store, posts{d.front}
		h.DayPost.Records = m
	}
	return h.DayPost
}

// set has a manager choose when the day comes.
func (d *days) set(g guildDay) {
	d.t.Helper()
	reply, err := d.process(nil).Command().Run(d.t.Context(), bot.Request{
		Location: game.Location{Guild: game.GuildID(g.guild), Channel: game.ChannelID(g.channel)}, MayManageServer: true, MayPost: true,
		Args: map[string]string{"hour": strconv.Itoa(g.hour), "zone": g.zone},
	})
	if err != nil || !strings.Contains(reply.String(), "Each day at") {
		d.t.Fatalf("got %v, %v", reply, err)
	}
}

// made is a post as its button tells it.
type made struct {
	day      string
	from, to int
	at       time.Time
	text     string
}

// made returns the posts in a channel, oldest first.
func (d *days) made(channel string) []made {
	d.t.Helper()
	var all []made
	for _, a := range d.discord.Posted(channel) {
		n := slices.IndexFunc(a.Components, func(c discordtest.Component) bool { return c.Label == "Results as tiles" })
		_, query, _ := strings.Cut(a.Components[n].CustomID, "?")
		args, err := url.ParseQuery(query)
		must(d.t, err)
		p := made{day: args.Get("day"), at: madeAt(d.t, a.MessageID), text: a.Content}
		p.from, err = strconv.Atoi(args.Get("from"))
		must(d.t, err)
		p.to, err = strconv.Atoi(args.Get("to"))
		must(d.t, err)
		all = append(all, p)
	}
	return all
}

func madeAt(t *testing.T, id string) time.Time {
	t.Helper()
	r, ok := game.RequestID(id).Made()
	if !ok {
		t.Fatalf("%s holds no time", id)
	}
	return r
}

// check compares the posts of a server with a plain account of them: one each local day from its hour on, each
// daily puzzle once, with who solved it and the streak, and each month's winner in the first post from the second of the next
// one on.
func (d *days) check(g guildDay, begin, end time.Time) {
	d.t.Helper()
	zone, err := time.LoadLocation(g.zone)
	must(d.t, err)
	count, last := map[string]int{}, 0
	var named time.Time
	for _, p := range d.made(g.channel) {
		count[p.day]++
		local := p.at.In(zone)
		if local.Format(time.DateOnly) != p.day || local.Hour() < g.hour-1 {
			d.t.Errorf("%s at %d:00: the post of %s came at %v", g.zone, g.hour, p.day, local)
		}
		ended := int(p.at.Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) / (24 * time.Hour)) // number of yesterday's puzzle, by the day of the year
		if last > 0 && p.from != min(last+1, p.to) || p.to != ended {
			d.t.Errorf("%s at %d:00: the post of %s reports %d to %d, after %d, when %d had ended", g.zone, g.hour, p.day, p.from, p.to, last, ended)
		}
		from := last + 1
		if last == 0 {
			from = p.from
		}
		yesterday := p.at.UTC().AddDate(0, 0, -1)
		month := time.Date(yesterday.Year(), yesterday.Month()-1, 1, 0, 0, 0, 0, time.UTC)
		if month.After(named) {
			named = month
		} else {
			month = time.Time{}
		}
		if want := d.text(g, p, from, month); p.text != want {
			d.t.Errorf("%s at %d:00: the post of %s says\n%s\nwant\n%s", g.zone, g.hour, p.day, p.text, want)
		}
		last = p.to
	}
	local := begin.In(zone)
	for date := local.Day(); ; date++ {
		noon := time.Date(local.Year(), local.Month(), date, 12, 0, 0, 0, zone)
		if noon.Add(13 * time.Hour).After(end) {
			return
		}
		if day := noon.Format(time.DateOnly); count[day] != 1 {
			d.t.Errorf("%s at %d:00: %d posts on %s", g.zone, g.hour, count[day], day)
		}
	}
}

// TestDayPostsOfAYear: for a year, with a process that dies at random, each server gets each day once.
func TestDayPostsOfAYear(t *testing.T) {
	t.Parallel()
	racetest.Skip(t)
	begin := time.Date(2026, 3, 1, 12, 7, 0, 0, time.UTC)
	end := begin.AddDate(1, 0, 0)
	d := mustDays(t, begin, []int{0, 2, 9, 23}, "Europe/Berlin", "America/New_York", "Pacific/Auckland")
	random := rand.New(rand.NewPCG(27, 4))
	minutes := func(most int) time.Duration { return time.Duration(1+random.IntN(most)) * time.Minute }
	m, deaths := &mortal{}, 0
	h := d.process(m)
	today := 0
	var immortal time.Time // until when the process does not die again, so that it is there for some of the 60 minutes from 23:00 on
	for ; d.now.Before(end); d.now = d.now.Add(minutes(30)) {
		if today != game.DailyNumber(d.now) {
			today = game.DailyNumber(d.now)
			for _, g := range d.guilds {
				if luck := random.IntN(50 * (1 + g.hour)); luck > 1 { // some servers have longer streaks
					d.play(g, luck > 2)
				}
			}
		}
		if random.IntN(3) == 0 {
			d.discord.Chat(d.guilds[random.IntN(len(d.guilds))].channel, "hello")
		}
		if random.IntN(2) == 0 && d.now.After(immortal) {
			m.calls, m.after = 1+random.IntN(6), random.IntN(2) == 0
		}
		_, err := h.PostDue(t.Context(), m)
		if !m.dead {
			must(t, err)
			m.calls = 0
			continue
		}
		deaths++
		if random.IntN(2) == 0 { // or it is back at once
			d.now = d.now.Add(minutes(15))
		}
		immortal = d.now.Add(time.Hour)
		m = &mortal{}
		h = d.process(m)
		d.now = d.now.Add(10 * time.Second)
		_, err = h.PostDue(t.Context(), m)
		must(t, err)
	}
	for _, g := range d.guilds {
		d.check(g, begin.Add(24*time.Hour), end)
	}
	if deaths < 900 || d.longest < 130 {
		t.Errorf("the process died only %d times, and the longest streak is %d", deaths, d.longest)
	}
}
