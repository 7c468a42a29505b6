package storage_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/statistics"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// model plays, shares, forgets and clears at random, and knows what a store must then have.
type model struct {
	s      *storage.Store
	random *rand.Rand
	ended  context.Context

	all     []*played                                // every finished match, in the order in which they ended
	last    map[string]uint64                        // the number given last, by community
	cleared finished.Deletion                        // the latest
	barred  map[game.PlayerID][]string               // the months that were open when they cleared
	places  map[statistics.Scope][]statistics.Totals // of those who have cleared, in months that were closed
	removed map[string]uint64                        // the number of the match that Forget removed last from a history, by community
	puzzles map[game.Kind]map[game.PlayerID]int      // the number of the latest daily puzzle
}

// played is a finished match, without the names of those who have deleted their data.
type played struct {
	game      testGame
	match     game.Match
	slot      game.Slot
	number    uint64 // in its community
	log       uint64 // of its result, once a check has seen it
	reviewed  bool
	gone      bool // from the history
	forgotten bool
	unslotted bool // its player has cleared the slot
}

func newModel(s *storage.Store) *model {
	m := &model{s: s, random: rand.New(rand.NewPCG(13, 14)), last: map[string]uint64{}, removed: map[string]uint64{}, barred: map[game.PlayerID][]string{}, places: map[statistics.Scope][]statistics.Totals{}, puzzles: map[game.Kind]map[game.PlayerID]int{}}
	var end context.CancelFunc
	m.ended, end = context.WithCancel(context.Background())
	end()
	for _, g := range games {
		m.puzzles[g.kind] = map[game.PlayerID]int{}
	}
	return m
}

// modelPlayers are the players of a model. The others' names begin with that of the last one.
var modelPlayers = []game.PlayerID{"p0", "p1", "p2", "p3", "p"}

func (m *model) player() game.PlayerID { return modelPlayers[m.random.IntN(len(modelPlayers))] }

// play plays a match of any game and mode, an hour after the one before: by five players in three channels of servers
// and two of direct messages, with a commit now and then that must change nothing. Half of the matches are daily
// puzzles. Some that were played alone are shared afterwards, in the channel "shared" or their own, and some daily
// puzzles in another server.
func (m *model) play(t *testing.T) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, random := t.Context(), m.random
	locations := []game.Location{{Guild: "g", Channel: "c1"}, {Guild: "g", Channel: "c2"}, {Guild: "gg", Channel: "c3"}, {Channel: "dm1"}, {Channel: "dm2"}}
	g, player := games[random.IntN(len(games))], m.player
	match := g.match(fmt.Sprint("m", len(m.all)), locations[random.IntN(len(locations))], player())
	match.State = g.start(g.answers[random.IntN(len(g.answers))])
	if random.IntN(3) == 0 {
		match.HintLimit = game.HintLimit{Limited: true, Most: len(g.answers)}
	}
	daily := 20 + random.IntN(30)
	mode := random.IntN(8)
	if mode > 3 {
		m.puzzles[g.kind][match.Starter]++
		daily = 25 + m.puzzles[g.kind][match.Starter] // so that some are of the next month
	}
	switch {
	case mode == 0:
		match = alone(match, 0)
	case mode == 1, mode > 3:
		match.State = g.start(g.answers[daily%len(g.answers)])
		if match = alone(match, daily); mode == 1 {
			match.Mode = game.Practice
		}
	}
	if match.Mode.Personal() {
		player = func() game.PlayerID { return match.Starter }
	}
	after := time.Duration(len(m.all)) * time.Hour
	commit := func() {
		t.Helper()
		now := later(match, after)
		if match.Mode == game.Daily && match.Status() != game.Playing && match.Location.Guild != "" && m.isBarred(match) {
			match.Outside = []game.GuildID{match.Location.Guild}
			now.Outside = match.Outside
		}
		if random.IntN(10) == 0 {
			stale := change(now)
			stale.Match.Version += 1 + uint64(random.IntN(2))
			if err := m.s.Commit(ctx, stale); !errors.Is(err, game.ErrConflict) {
				t.Fatalf("a wrong version of %v: %v", match, err)
			}
			if err := m.s.Commit(m.ended, change(now)); !errors.Is(err, context.Canceled) {
				t.Fatalf("%v after the end of its context: %v", match, err)
			}
		}
		mustCommit(t, m.s, now)
		if random.IntN(4) == 0 {
			mustLoad(t, m.s, now)
			then := now.Rewind(1 + uint64(random.IntN(int(now.Version))))
			if got, version, err := m.s.Repeated(ctx, now.Slot(), request(then)); err != nil || version != then.Version || !reflect.DeepEqual(got.Rewind(version), then) {
				t.Fatalf("the request of version %d of %v led to %v at %d, %v", then.Version, now, got, version, err)
			}
		}
	}
	commit()
	guesses := random.Perm(len(g.answers))
	for match.Status() == game.Playing {
		switch {
		case len(guesses) == 0, random.IntN(12) == 0:
			match = stop(match, player())
		case random.IntN(5) == 0:
			match = g.hint(match, player())
		default:
			match, guesses = g.guess(t, match, player(), g.answers[guesses[0]]), guesses[1:]
		}
		commit()
	}
	match = later(match, after)
	community := match.Location.Community()
	m.last[community]++
	p := &played{game: g, match: match, slot: match.Slot(), number: m.last[community], reviewed: random.IntN(3) == 0}
	m.all = append(m.all, p)
	if p.reviewed {
		must(m.s.SaveReview(ctx, match, g.review(80)))
	}
	if guild := []game.GuildID{"", "g", "gg"}[random.IntN(3)]; match.Mode == game.Daily && random.IntN(2) == 0 {
		at := game.MonthCloses(match.Result().Month()).Add(-time.Duration(random.IntN(2)))
		for range 2 { // the second time it changes nothing
			must(m.s.ShareIn(ctx, match.ID, guild, at))
		}
		if guild != "" && guild != match.Location.Guild {
			p.match.Guilds = []game.GuildID{guild}
			if m.isBarred(match) || !at.Before(game.MonthCloses(match.Result().Month())) {
				p.match.Outside = append(p.match.Outside, guild)
			}
		}
	}
	if p := m.all[random.IntN(len(m.all))]; !p.gone && random.IntN(2) == 0 {
		channel := []game.ChannelID{"shared", p.match.Location.Channel}[random.IntN(2)]
		if p.match.Mode.Personal() && p.match.Shared == "" {
			p.match.Shared = channel
		}
		must(m.s.Share(ctx, p.match.ID, channel)) // which changes nothing the second time
	}
}

// forget has matches forgotten that ended before match n did, or all.
func (m *model) forget(t *testing.T, n int) {
	t.Helper()
	before, want := epoch.Add(100_000*time.Hour), 0
	if n < len(m.all) {
		before = m.all[n].match.Ended()
	}
	for _, p := range m.all[:n] {
		if !p.forgotten {
			want++
		}
		in := p.match.Location.Community()
		m.removed[in] = max(m.removed[in], p.number)
		p.forgotten, p.gone = true, true
	}
	if removed, err := m.s.Forget(context.Background(), before); removed != want || err != nil {
		t.Fatalf("%d matches were removed, %v, want %d", removed, err, want)
	}
}

func (m *model) isBarred(daily game.Match) bool {
	return slices.Contains(m.barred[daily.Starter], daily.Result().Month())
}

// clear has a player delete their data, on the day of the player's next daily puzzle.
func (m *model) clear(t *testing.T, player game.PlayerID) {
	t.Helper()
	next := 100
	for _, puzzles := range m.puzzles {
		next = min(next, 26+puzzles[player])
	}
	m.cleared = finished.Deletion{Player: player, Request: game.RequestID(fmt.Sprint("clear", len(m.all), player)), At: game.DailyDate(next)}
	for scope, total := range statistics.TallyOf(m.results())[player] {
		for _, guild := range total.Guilds {
			if scope.Guild = guild; !m.cleared.At.Before(game.MonthCloses(scope.Month)) {
				total.Player = ""
				m.places[scope] = append(m.places[scope], total.Totals)
			}
		}
	}
	m.barred[player] = append(m.barred[player], game.OpenMonths(m.cleared.At)...)
	if err := m.s.Delete(context.Background(), m.cleared); err != nil {
		t.Fatal(err)
	}
	mustHaveNoName(t, m.s, player)
	m.leave(player)
}

// mustHaveNoName checks that no record has a display name of a player, apart from the player's own matches that are being played.
func mustHaveNoName(t *testing.T, s *storage.Store, player game.PlayerID) {
	t.Helper()
	err := ordered.Each(context.Background(), s.Map(), ordered.Everything, func(batch []ordered.Pair) error {
		for _, p := range batch {
			if strings.HasPrefix(p.Key, schema.TopicSlot+game.PlayerKeyPrefix(player)) {
				continue
			}
			for _, name := range []string{nickname(player), globalName(player)} {
				if strings.Contains(p.Key+string(p.Value), name) {
					t.Errorf("%q still has %q after the deletion: %s", p.Key, name, p.Value)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// leave takes a player's name from everything.
func (m *model) leave(player game.PlayerID) {
	for _, p := range m.all {
		p.unslotted = p.unslotted || p.slot.Player == player
		named := p.match.Named()
		if p.match = p.match.Without(player); p.match.Result().Anonymous() && slices.Contains(named, player) {
			p.gone = true
			for _, name := range named {
				p.match = p.match.Without(name)
			}
		}
	}
}

// check compares everything with the store.
func (m *model) check(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	if m.cleared.Player != "" { // repeated, it changes nothing
		if err := m.s.Delete(ctx, m.cleared); err != nil {
			t.Fatal(err)
		}
	}
	log, err := m.s.Results(ctx, 0, len(m.all)+1)
	if err != nil {
		t.Fatal(err)
	}
	latest := map[game.Slot]*played{}
	last := uint64(0)
	for _, p := range m.all {
		latest[p.slot] = p
		if p.forgotten {
			continue
		}
		if len(log) == 0 || log[0].LogPosition == 0 || last >= log[0].LogPosition || p.log > 0 && p.log != log[0].LogPosition {
			t.Fatalf("the result of %s is missing, or has a wrong number: %+v", p.match.ID, log)
		}
		last, p.log = log[0].LogPosition, log[0].LogPosition
		if want := p.result(); !reflect.DeepEqual(log[0], want) {
			t.Fatalf("a result is %+v, want %+v", log[0], want)
		}
		log = log[1:]
	}
	if len(log) > 0 {
		t.Fatalf("the log has %d results too many", len(log))
	}
	for _, p := range m.all {
		want := game.Review(nil)
		if p.reviewed && !p.gone {
			want = p.game.review(80)
		}
		if got, err := m.s.Reviews(ctx, p.match.ID); err != nil || (len(got) > 0) == p.gone || len(got) > 0 && !reflect.DeepEqual(got[0].Review, want) {
			t.Errorf("the review of match %s is %v, %v; it is gone: %t", p.match.ID, got, err, p.gone)
		}
		if p.reviewed || p.gone { // the first one stays
			if err := m.s.SaveReview(ctx, p.match, p.game.review(20)); err != nil {
				t.Error(err)
			}
		}
		if p.gone {
			if err := m.s.Share(ctx, p.match.ID, "late"); !errors.Is(err, game.ErrNotInHistory) {
				t.Errorf("sharing match %s, which is gone: %v", p.match.ID, err)
			}
		}
		// The request still leads to the match, which no list may have.
		if got, version, err := m.s.Repeated(ctx, p.slot, request(p.match)); err != nil || (version == 0) != p.forgotten || version > 0 && !reflect.DeepEqual(got, p.match) {
			t.Errorf("the last request of %v led to %v at %d, %v; it is forgotten: %t", p.match, got, version, err, p.forgotten)
		}
		if latest[p.slot] == p {
			empty := p.forgotten || p.unslotted
			if got, err := m.s.Load(ctx, p.slot); empty != errors.Is(err, game.ErrNoMatch) || !empty && !reflect.DeepEqual(got, p.match) {
				t.Errorf("the slot of %v has %v, %v; want none: %t", p.match, got, err, empty)
			}
		}
	}
	for community, last := range m.last {
		for number := range last + 2 {
			want, gone := uint64(0), number <= m.removed[community]
			for _, p := range m.all {
				if p.number == number && p.match.Location.Community() == community {
					want = p.log
				}
			}
			place, err := m.s.PositionOf(ctx, community, number)
			switch {
			case gone != errors.Is(err, game.ErrForgotten), !gone && (number > last) != errors.Is(err, game.ErrNotInHistory), err == nil && place != want:
				t.Errorf("number %d in %s is at %d, %v, want %d; forgotten: %t", number, community, place, err, want, gone)
			case err == nil:
				if numbers, err := m.s.Numbers(ctx, community, place, place); err != nil || !slices.Equal(numbers, []uint64{number, number}) {
					t.Errorf("the place of number %d in %s has the numbers %d, %v", number, community, numbers, err)
				}
			}
		}
	}
	m.checkHistory(t)
	m.checkDailies(t)
	checkStatistics(t, m.s, m.results(), m.places)
}

// results are those of all matches, also of those that were forgotten.
func (m *model) results() (all []game.Result) {
	for _, p := range m.all {
		all = append(all, p.match.Result())
	}
	return all
}

// result is the result of a match, with its number in the log.
func (p *played) result() game.Result {
	r := p.match.Result()
	r.LogPosition = p.log
	return r
}

// TestModel plays, forgets and clears in random turns. At the end everybody clears, and everything is forgotten.
func TestModel(t *testing.T) { forEachEngine(t, testModel) }

func testModel(t *testing.T, open func() *storage.Store) {
	m := newModel(open())
	var running []game.Match
	for _, g := range games {
		match := g.guess(t, g.match("running "+string(g.kind), game.Location{Guild: "g", Channel: "c9"}, "p0"), "p0", g.answers[0])
		mustCommitAll(t, m.s, match)
		running = append(running, match)
	}
	check := func() {
		t.Helper()
		m.s.Saved()
		mustClose(t, m.s)
		m.s = open()
		m.check(t)
		for i, match := range running {
			mustLoad(t, m.s, match)
			_, finished := m.s.Finished(t.Context(), match.ID)
			if shared := m.s.Share(t.Context(), match.ID, "early"); !errors.Is(finished, game.ErrNotInHistory) || !errors.Is(shared, game.ErrNotInHistory) {
				t.Errorf("match %q, which is being played: %v, shared: %v", match.ID, finished, shared)
			}
			reviewed, err := m.s.Reviews(t.Context(), match.ID)
			if err = errors.Join(err, m.s.SaveReview(t.Context(), match, games[i].review(1))); len(reviewed) > 0 || err != nil {
				t.Errorf("match %q, which is being played, has a review: %v, %v", match.ID, reviewed, err)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	for i := range 240 {
		m.play(t)
		switch i % 60 {
		case 25:
			m.forget(t, m.random.IntN(i))
		case 40:
			player := m.player()
			m.clear(t, player)
			running = game.Each(running, func(match game.Match) game.Match { return match.Without(player) })
		case 59:
			check()
		}
	}
	for _, player := range []game.PlayerID{"p", "p0", "nobody", "p3", "p1", "p2"} {
		m.clear(t, player)
		running = game.Each(running, func(match game.Match) game.Match { return match.Without(player) })
		check()
	}
	if slices.ContainsFunc(m.all, func(p *played) bool { return !p.gone }) {
		t.Error("everybody is anonymous, and a match is listed")
	}
	m.play(t)
	for _, n := range []int{len(m.all) - 1, len(m.all)} {
		m.forget(t, n)
		check()
	}
	m.play(t) // numbers go on
	check()
	mustClose(t, m.s)
}

// list returns what passes a filter, by plain comparison.
func (m *model) list(f finished.Filter) []finished.Entry {
	var entries []finished.Entry
	for _, p := range m.all {
		e := finished.Entry{Result: p.result()}
		own := f.Viewer != "" && slices.Contains(p.match.Named(), f.Viewer)
		if !p.gone && (f.Community == "" || f.Community == p.match.Location.Community()) &&
			(own || e.Result.Public()) && (!e.Result.Public() || f.Community == "" || !slices.Contains(f.Without, e.Result.Channel())) &&
			(f.Player == "" || slices.Contains(p.match.Named(), f.Player)) &&
			(f.Kind == "" || f.Kind == e.Result.Kind) && (f.Status == "" || f.Status == e.Result.Status || f.Status == game.Lost && e.Result.CountsAsLost()) &&
			(!f.PlayedOut || e.Result.Status != game.Stopped) && (f.Answer == "" || f.Answer == e.Result.Answer) &&
			(f.Before == 0 || p.log < f.Before) && p.log >= f.From {
			entries = append(entries, e)
		}
	}
	if f.From > 0 && len(entries) > f.Limit {
		entries = entries[:f.Limit]
	}
	slices.Reverse(entries)
	return entries[:min(f.Limit, len(entries))]
}

// checkHistory compares what passes random filters with the model, and every match of it.
func (m *model) checkHistory(t *testing.T) {
	t.Helper()
	ctx, random := context.Background(), m.random
	kinds, answers := []game.Kind{"", "", "chess"}, []string{"", "", "", "zebra"}
	for _, g := range games {
		kinds, answers = append(kinds, g.kind, g.kind), append(answers, g.answers[0], g.hidden())
	}
	for range 150 {
		f := finished.Filter{
			Community: []string{"", "guild/g", "guild/gg", "channel/dm1", "channel/dm2", "guild/nobody"}[random.IntN(6)],
			Player:    []game.PlayerID{"", "p0", "p1", "p", "p3", "nobody"}[random.IntN(6)],
			Kind:      kinds[random.IntN(len(kinds))],
			Status:    []game.Status{"", "", game.Won, game.Lost, game.Stopped}[random.IntN(5)],
			PlayedOut: random.IntN(3) == 0,
			Answer:    answers[random.IntN(len(answers))],
			Limit:     random.IntN(8),
			Viewer:    []game.PlayerID{"", "p0", "p1", "p2", "p3", "p", "nobody"}[random.IntN(7)],
			Without:   [][]game.ChannelID{nil, nil, {"c1"}, {"shared", "c2"}, {"dm1", "c3", "c9"}}[random.IntN(5)],
		}
		bound := []uint64{0, 1, m.all[random.IntN(len(m.all))].log, 1 << 62}
		bound = append(bound, bound[2]+1)
		if f.Community == "" {
			f.Viewer = []game.PlayerID{"p0", "p1"}[random.IntN(2)]
			f.Player = f.Viewer
		}
		switch random.IntN(3) {
		case 0:
			f.Before = bound[random.IntN(len(bound))]
		case 1:
			f.From = bound[random.IntN(len(bound))]
		}
		got, err := m.s.History(ctx, f)
		if want := m.list(f); err != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v lists\n%+v, %v, want\n%+v", f, got, err, want)
		}
	}
	for _, p := range m.all {
		got, err := m.s.Finished(ctx, p.match.ID)
		switch {
		case p.gone && errors.Is(err, game.ErrNotInHistory):
		case err != nil || p.gone || !reflect.DeepEqual(got, game.Finished{LogPosition: p.log, Match: p.match}):
			t.Fatalf("match %s is %v, %v, want place %d, %v (gone: %t)", p.match.ID, got, err, p.log, p.match, p.gone)
		}
	}
}

// checkDailies compares what the store says about daily puzzles in servers with everything that was ever played, and
// with what is left of it.
func (m *model) checkDailies(t *testing.T) {
	t.Helper()
	type scope struct {
		game.Kind
		game.GuildID
	}
	solved, left := map[scope][]int{}, map[scope]map[int][]statistics.DailyResult{}
	for _, p := range m.all {
		r := p.match.Result()
		n, _ := r.Puzzle.Daily()
		if r.Mode != game.Daily {
			continue
		}
		for _, guild := range r.CountsIn() {
			in := scope{r.Kind, guild}
			if r.Status == game.Won {
				solved[in] = append(solved[in], n)
			}
			if left[in] == nil {
				left[in] = map[int][]statistics.DailyResult{}
			}
			for _, by := range r.Participants {
				if by.Player != "" && !p.forgotten {
					left[in][n] = append(left[in][n], statistics.DailyResult{Player: by.Player, Name: globalName(by.Player), Match: r.Match, Won: r.Status == game.Won, Guesses: by.Guesses, Limit: r.Limit, Hints: by.Hints})
				}
			}
		}
	}
	byScore := func(a, b statistics.DailyResult) int {
		return cmp.Or(cmp.Compare(a.Score(), b.Score()), strings.Compare(string(a.Player), string(b.Player)))
	}
	for in := range left {
		slices.Sort(solved[in])
		if got, err := m.s.SolvedDays(context.Background(), in.Kind, in.GuildID, 0, 100); err != nil || !slices.Equal(got, slices.Compact(solved[in])) {
			t.Errorf("solved in %v: %v, %v, want %v", in, got, err, solved[in])
		}
		days, err := m.s.Days(context.Background(), in.Kind, in.GuildID, "", 0, 59)
		if err != nil || len(days) != 60 {
			t.Errorf("days in %v: %v, %v", in, days, err)
		}
		for n := range 60 {
			want := left[in][n]
			slices.SortFunc(want, byScore)
			slices.SortFunc(days[n], byScore)
			if !slices.Equal(days[n], want) {
				t.Errorf("day %d in %v: %v, want %v", n, in, days[n], want)
			}
			for _, player := range append(modelPlayers, "nobody") {
				own := slices.DeleteFunc(slices.Clone(want), func(d statistics.DailyResult) bool { return d.Player != player })
				got, err := m.s.Days(context.Background(), in.Kind, in.GuildID, player, n, n)
				if err != nil || len(got) != 1 || !slices.Equal(got[0], own) {
					t.Errorf("day %d of %s in %v: %v, %v, want %v", n, player, in, got, err, own)
				}
			}
			got, err := m.s.Daily(context.Background(), in.Kind, in.GuildID, n, 100)
			if err != nil || !slices.Equal(got.Listed, want) || got.Players != len(want) {
				t.Errorf("daily %d in %v: %v, %v, want %v", n, in, got, err, want)
			}
		}
	}
}

// checkLeaderboard compares a store's leaderboard and totals with those worked out from a log, and the places of players who
// have deleted their data.
func checkLeaderboard(t *testing.T, s *storage.Store, scope statistics.Scope, log []game.Result, cleared []statistics.Totals) {
	t.Helper()
	ctx := t.Context()
	players := slices.Clone(cleared)
	for player, tally := range statistics.TallyOf(log) {
		want := tally.Of(scope)
		if want.Player = player; want.Daily.Played > 0 {
			players = append(players, want)
		}
	}
	for placeFrom := 1; placeFrom <= statistics.RankedFrom; placeFrom++ {
		slices.SortFunc(players, func(a, b statistics.Totals) int {
			switch apart := a.Daily.Played >= placeFrom; {
			case apart != (b.Daily.Played >= placeFrom) && apart:
				return -1
			case apart != (b.Daily.Played >= placeFrom):
				return 1
			}
			return cmp.Or(a.Compare(b), strings.Compare(string(a.Player), string(b.Player)))
		})
		rows, placed := make([]statistics.Row, len(players)), 0
		for i, p := range players {
			if rows[i].Totals = p; p.Player != "" {
				rows[i].Name = globalName(p.Player)
			}
			if p.Daily.Played < placeFrom {
				continue
			}
			rows[i].Rank, placed = i+1, i+1
			if i > 0 && p.Compare(players[i-1]) == 0 {
				rows[i].Rank = rows[i-1].Rank
			}
		}
		for i, want := range rows {
			board, err := s.Leaderboard(ctx, scope, want.Player, statistics.Rows{RankedFrom: placeFrom, Skip: i, Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
			if want.Player == "" {
				want = statistics.Row{}
			}
			if !reflect.DeepEqual(board.Own, want) || board.Players != placed || board.More != (i+3 < len(rows)) || !reflect.DeepEqual(board.Rows, rows[i:min(i+3, len(rows))]) {
				t.Fatalf("the leaderboard of %d players from row %d on is\n%+v\nwant %d of\n%+v\nand own row\n%+v", board.Players, i+1, board, placed, rows, want)
			}
		}
		board, err := s.Leaderboard(ctx, scope, "nobody", statistics.Rows{RankedFrom: placeFrom, Limit: 3})
		if err != nil || board.Own.Rank != 0 || len(board.Rows) != min(3, len(rows)) || board.Players != placed {
			t.Errorf("the leaderboard for somebody without a place: %+v, %v", board, err)
		}
	}
}

// checkStatistics compares all totals and leaderboards with those of a log of everything
// that was ever played, and the places of those who have deleted their data.
func checkStatistics(t *testing.T, s *storage.Store, log []game.Result, cleared map[statistics.Scope][]statistics.Totals) {
	t.Helper()
	tally := statistics.TallyOf(log)
	for _, g := range games {
		for _, guild := range []game.GuildID{"", "g", "gg"} {
			for _, month := range []string{"", game.DailyMonth(1), game.DailyMonth(40)} {
				scope := statistics.Scope{Kind: g.kind, Guild: guild, Month: month}
				if guild != "" {
					checkLeaderboard(t, s, scope, log, cleared[scope])
				}
				for _, player := range append(modelPlayers, "nobody") {
					want := tally[player].Of(scope)
					want.Player = player
					if got, err := s.Totals(context.Background(), scope, player); !reflect.DeepEqual(got, want) || err != nil {
						t.Errorf("totals of %s in %v: %+v, %v; want %+v", player, scope, got, err, want)
					}
				}
			}
		}
	}
}
