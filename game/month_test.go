package game_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fivefold/bot/kinds/toy"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/statistics"
)

var (
	monthPlayers = flag.Int("month-players", 40, "how many players a month of daily puzzles has")
	monthServers = flag.Int("month-servers", 8, "how many servers they are in")
)

// played is what somebody did with a daily puzzle, as the test itself has written it down.
type played struct {
	kind   game.Kind
	player game.PlayerID
	number int
	score  int // guesses, or 7; and the hints
	won    bool
	guilds []game.GuildID
}

// entered is that somebody's month counts in a server.
type entered struct {
	kind   game.Kind
	player game.PlayerID
	month  string
	guild  game.GuildID
}

// TestMonth lets players have two months of daily puzzles of two kinds in many servers: with hints, losses,
// puzzles given up or left open, played in direct messages, shared in other servers, in time and late, and other games
// between. Every table, place, streak and list of results is what a plain recount of what they did says.
//
//	go test ./game -run Month -month-players 1000 -month-servers 100
func TestMonth(t *testing.T) {
	random := rand.New(rand.NewPCG(2026, 11))
	now := time.Date(2026, 10, 17, 9, 0, 0, 0, time.UTC)
	s := newMemory()
	m := newManager(s, mustLists(t, "crane crate grape grace trace slate mound fuzzy brick vivid", "mamma kayak jazzy civic"))
	m.Now = func() time.Time { now = now.Add(time.Millisecond); return now }
	requests := 0
	do := func(l game.Location, p game.PlayerID, k game.Kind, verb string) game.Match {
		t.Helper()
		requests++
		match, err := parse(l, fmt.Sprint("r", requests), fmt.Sprint(p, " ", verb, " ", k)).run(t.Context(), m)
		if err != nil {
			t.Fatalf("%s of %s: %v", verb, p, err)
		}
		return match
	}
	var journal []played
	tables := map[entered]bool{}
	days := 28
	if testing.Short() {
		days = 7
	}
	first := m.Today()
	left := 0 // puzzles left unfinished, which are lost some time later
	for day := range days {
		for i := range *monthPlayers {
			player := game.PlayerID(fmt.Sprint("p", i))
			guild := func(n int) game.GuildID { return game.GuildID(fmt.Sprint("g", n%*monthServers)) }
			for _, kind := range []game.Kind{wordgame.Kind, toy.Kind} {
				if random.IntN(10) < 2 {
					continue // a day without
				}
				done := played{kind: kind, player: player, number: first + day, score: 7}
				place := game.Location{Guild: guild(i), Channel: game.ChannelID("c" + guild(i))}
				if random.IntN(8) == 0 {
					place = game.Location{Channel: game.ChannelID("dm" + player)}
				}
				match := do(place, player, kind, "start daily")
				misses, hints := random.IntN(7), max(0, random.IntN(6)-3)
				for n := range hints {
					if match = do(place, player, kind, "suggestion daily"); n == 0 && kind == wordgame.Kind {
						match = do(place, player, kind, "letter daily")
					}
				}
				leaves := random.IntN(20) == 0
				for range misses {
					match = do(place, player, kind, "miss daily")
				}
				done.score += len(match.Hints)
				switch {
				case match.Status() != game.Playing:
				case leaves: // it is lost when it closes
					left++
				case random.IntN(20) == 0:
					do(place, player, kind, "stop daily")
				default:
					match = do(place, player, kind, "win daily")
					done.won, done.score = true, misses+1+len(match.Hints)
				}
				month := time.Date(2026, 1, done.number, 0, 0, 0, 0, time.UTC)
				enter := func(g game.GuildID) { tables[entered{kind, player, month.Format("2006-01"), g}] = true }
				if place.Guild != "" {
					done.guilds = append(done.guilds, place.Guild)
					enter(place.Guild)
				}
				if other := guild(i + 1 + random.IntN(3)); !leaves && random.IntN(4) == 0 {
					requests++
					today := now
					if random.IntN(4) == 0 { // some time later
						now = now.AddDate(0, 0, random.IntN(20))
					}
					if now.Before(time.Date(month.Year(), month.Month()+1, 2, 0, 0, 0, 0, time.UTC)) {
						enter(other)
					}
					o := game.Origin{Request: game.RequestID(fmt.Sprint("r", requests)), Player: player, Location: game.Location{Guild: other, Channel: "there"}}
					for _, want := range []error{nil, game.ErrShared} {
						if _, err := m.past.ShareDaily(t.Context(), o, kind, done.number); !errors.Is(err, want) {
							t.Fatalf("%v, want %v", err, want)
						}
					}
					if now = today; !slices.Contains(done.guilds, other) {
						done.guilds = append(done.guilds, other)
					}
				}
				journal = append(journal, done)
			}
			if random.IntN(4) == 0 { // what no table counts
				place := game.Location{Guild: guild(i), Channel: game.ChannelID(fmt.Sprint("own", player))}
				do(place, player, wordgame.Kind, "start "+[]string{"solo", "together"}[random.IntN(2)])
				do(place, player, wordgame.Kind, "win")
			}
		}
		now = now.Add(24 * time.Hour)
		if day == days-1 {
			now = now.Add(48 * time.Hour)
		}
		if _, err := m.EndIdle(t.Context(), 0); err != nil { // after the player has finished the next one
			t.Fatal(err)
		}
	}
	if open, err := s.Unfinished(t.Context(), game.Unfinished{}, 1); len(open) > 0 || err != nil || left == 0 {
		t.Errorf("of %d puzzles that were left, some have not ended: %v, %v", left, open, err)
	}
	for _, kind := range []game.Kind{wordgame.Kind, toy.Kind} {
		for g := range *monthServers {
			guild := game.GuildID(fmt.Sprint("g", g))
			for _, month := range []string{"2026-10", "2026-11", ""} {
				checkTable(t, s, statistics.Scope{Kind: kind, Guild: guild, Month: month}, journal, tables)
			}
			for day := range days {
				checkDay(t, s, kind, guild, first+day, journal)
			}
		}
		for i := range *monthPlayers {
			checkStreak(t, s, kind, game.PlayerID(fmt.Sprint("p", i)), first+days-1, journal)
		}
	}
}

// checkTable recounts a leaderboard.
func checkTable(t *testing.T, s Store, scope statistics.Scope, journal []played, tables map[entered]bool) {
	t.Helper()
	type row struct {
		player        game.PlayerID
		score, played int
	}
	var rows []row
	for _, p := range journal {
		month := time.Date(2026, 1, p.number, 0, 0, 0, 0, time.UTC).Format("2006-01")
		if p.kind != scope.Kind || !tables[entered{p.kind, p.player, month, scope.Guild}] || scope.Month != "" && scope.Month != month {
			continue
		}
		i := slices.IndexFunc(rows, func(r row) bool { return r.player == p.player })
		if i < 0 {
			i, rows = len(rows), append(rows, row{player: p.player})
		}
		rows[i].score += p.score
		rows[i].played++
	}
	const placeFrom = 5
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(min(1, b.played/placeFrom), min(1, a.played/placeFrom)),
			cmp.Compare(float64(a.score)/float64(a.played), float64(b.score)/float64(b.played)), b.played-a.played, cmp.Compare(a.player, b.player))
	})
	placed := slices.IndexFunc(rows, func(r row) bool { return r.played < placeFrom })
	if placed < 0 {
		placed = len(rows)
	}
	for i, want := range rows {
		board, err := s.Leaderboard(t.Context(), scope, want.player, statistics.Rows{RankedFrom: placeFrom, Limit: 3})
		own := board.Own
		place := 1 + slices.IndexFunc(rows, func(r row) bool { return r.score*want.played == want.score*r.played && r.played == want.played })
		if i >= placed {
			place = 0
		}
		if err != nil || board.Players != placed || own.Rank != place || own.Daily.Score() != want.score || own.Daily.Played != want.played {
			t.Fatalf("%v: %+v of %d, %v, want %+v in place %d of %d", scope, own, board.Players, err, want, place, placed)
		}
		if i < 3 && board.Rows[i].Player != want.player {
			t.Fatalf("%v: row %d is %+v, want %+v", scope, i+1, board.Rows[i], want)
		}
	}
}

// checkDay recounts a server's results of a daily puzzle.
func checkDay(t *testing.T, s Store, kind game.Kind, guild game.GuildID, number int, journal []played) {
	t.Helper()
	players, solved := 0, 0
	for _, p := range journal {
		if p.kind == kind && p.number == number && slices.Contains(p.guilds, guild) {
			if players++; p.won {
				solved++
			}
		}
	}
	got, err := s.Daily(t.Context(), kind, guild, number, 1000)
	if err != nil || got.Players != players || got.Solved != solved || len(got.Listed) != players {
		t.Fatalf("%s %d in %s: %+v, %v, want %d players, %d of whom have solved it", kind, number, guild, got, err, players, solved)
	}
	days, err := s.SolvedDays(t.Context(), kind, guild, number, number)
	if err != nil || (len(days) == 1) != (solved > 0) {
		t.Fatalf("%s %d in %s: solved days are %v, %v", kind, number, guild, days, err)
	}
}

// checkStreak recounts a player's streaks of numbers.
func checkStreak(t *testing.T, s Store, kind game.Kind, player game.PlayerID, today int, journal []played) {
	t.Helper()
	var want statistics.Streak
	last := 0 // solved
	for _, p := range journal {
		if p.kind == kind && p.player == player && p.won {
			if p.number != last+1 {
				want.Now = 0
			}
			want.Now++
			want.Best, last = max(want.Best, want.Now), p.number
		}
	}
	lostToday := slices.ContainsFunc(journal, func(p played) bool { return p.kind == kind && p.player == player && p.number == today && !p.won })
	if last < today-1 || lostToday {
		want.Now = 0
	}
	got, err := s.Totals(t.Context(), statistics.Scope{Kind: kind}, player)
	if err != nil || got.DayStreak(today) != want.Now || got.Days.Best != want.Best {
		t.Fatalf("%s of %s: the streak is %d, best %d, %v, want %+v", kind, player, got.DayStreak(today), got.Days.Best, err, want)
	}
}

// TestBoughtMonth: in the table of a month of 200 players, those who share only good days, leave losses open or clear
// their history have no better places than their skill is worth, and the order is nearly that of skill.
func TestBoughtMonth(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	const players, buyers = 200, 10 // of each way to buy
	random := rand.New(rand.NewPCG(2026, 12))
	now := time.Date(2026, 11, 11, 9, 0, 0, 0, time.UTC)
	s := newMemory()
	m := newManager(s, mustLists(t, "crane crate grape grace trace slate mound fuzzy brick vivid", "mamma kayak jazzy civic"))
	m.Now = func() time.Time { now = now.Add(time.Millisecond); return now }
	requests := 0
	origin := func(l game.Location, p game.PlayerID) game.Origin {
		requests++
		return game.Origin{Request: game.RequestID(fmt.Sprint("r", requests)), Player: p, Location: l}
	}
	do := func(l game.Location, p game.PlayerID, verb string) {
		if _, err := parse(l, string(origin(l, p).Request), fmt.Sprint(p, " ", verb, " ", wordgame.Kind)).run(t.Context(), m); err != nil {
			t.Fatalf("%s of %s: %v", verb, p, err)
		}
	}
	ways := []string{"shares good days", "leaves losses open", "clears", "is honest"}
	way := func(rank int) int { // buyers are of middling skill
		if i := (rank - 60) / 2; rank >= 60 && rank%2 == 0 && i < 3*buyers {
			return i % 3
		}
		return 3
	}
	home := game.Location{Guild: "g", Channel: "c"}
	for day := range 20 {
		for rank := range players { // by skill: from 3.3 guesses on average to 5.3
			p, how, place := game.PlayerID(fmt.Sprintf("p%03d", rank)), way(rank), home
			misses := max(0, min(6, int(2.8+2*float64(rank)/players+1.1*random.NormFloat64())))
			if how == 0 {
				place = game.Location{Channel: game.ChannelID("dm" + p)}
			}
			do(place, p, "start daily")
			if how == 1 {
				for range min(5, misses) {
					do(place, p, "miss daily")
				}
			} else {
				for range misses {
					do(place, p, "miss daily")
				}
			}
			if misses < 6 && (how != 1 || misses < 5) {
				do(place, p, "win daily")
			}
			if how == 0 && misses <= 2 {
				if _, err := m.past.ShareDaily(t.Context(), origin(home, p), wordgame.Kind, m.Today()); err != nil {
					t.Fatal(err)
				}
			}
			if how == 2 && day == 9 {
				totals, err := s.Totals(t.Context(), statistics.Scope{Kind: wordgame.Kind, Guild: "g", Month: "2026-11"}, p)
				if err != nil {
					t.Fatal(err)
				}
				if totals.Daily.Average() > 4 { // so far it went badly
					if err := m.past.Clear(t.Context(), origin(home, p)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		now = now.Truncate(time.Hour).Add(24 * time.Hour)
	}
	now = time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)
	if _, err := m.EndIdle(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	board, err := s.Leaderboard(t.Context(), statistics.Scope{Kind: wordgame.Kind, Guild: "g", Month: "2026-11"}, "", statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: players})
	if err != nil {
		t.Fatal(err)
	}
	var ranks []int // by skill, in the order of the table
	gained, placed := make([]int, 4), make([]int, 4)
	for _, row := range board.Rows[:board.Players] {
		var rank int
		if _, err := fmt.Sscanf(string(row.Player), "p%d", &rank); err != nil {
			t.Fatal(err)
		}
		ranks = append(ranks, rank)
	}
	sorted, squares := slices.Sorted(slices.Values(ranks)), 0
	for i, rank := range ranks {
		by := slices.Index(sorted, rank) - i
		squares += by * by
		gained[way(rank)] += by
		placed[way(rank)]++
	}
	n := len(ranks)
	spearman := 1 - 6*float64(squares)/float64(n*(n*n-1))
	text := fmt.Sprintf("%d players with a place, the order agrees with skill by %.3f (Spearman)", n, spearman)
	for i, name := range ways {
		if placed[i] > 0 {
			text += fmt.Sprintf("; who %s: %d, %+.1f places", name, placed[i], float64(gained[i])/float64(placed[i]))
		}
	}
	t.Log(text)
	if spearman < 0.9 || gained[0]+gained[1]+gained[2] > 10*(placed[0]+placed[1]+placed[2]) {
		t.Error(text)
	}
}
