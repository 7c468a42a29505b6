package game_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/bot/discord/calls"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
)

// raceStart is when the races of tests start, by the ids of their requests.
var raceStart = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// made is a request made so long after raceStart; n tells those of one millisecond apart.
func made(after time.Duration, n int) game.RequestID {
	return game.RequestID(fmt.Sprint((raceStart.Add(after).UnixMilli()-1_420_070_400_000)<<22 + int64(n)))
}

// racer is a player in the races of a channel.
type racer struct {
	machine
	player game.PlayerID
	place  game.Location
}

func (r racer) origin(request game.RequestID) game.Origin {
	return game.Origin{Request: request, Location: r.place, Player: r.player, Made: calls.Made(string(request))}
}

// start has the player in a race, which begins at once if it is the player's own.
func (r racer) start(t *testing.T, request game.RequestID) (game.Race, game.Match) {
	t.Helper()
	race, match, err := r.StartRace(t.Context(), r.origin(request), matches.RaceOptions{Kind: wordgame.Kind, Time: 10 * time.Minute})
	if err == nil && race.Begins.IsZero() {
		race, match, err = r.BeginRace(t.Context(), r.origin(follows(request)), wordgame.Kind, race.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return race, match
}

// follows is another request of the same millisecond.
func follows(request game.RequestID) game.RequestID {
	n, _ := strconv.Atoi(string(request))
	return game.RequestID(strconv.Itoa(n + 1<<21))
}

func (r racer) guess(ctx context.Context, request game.RequestID, word string) (game.Match, error) {
	return r.Move(ctx, r.origin(request), matches.Target{Kind: wordgame.Kind, Mode: game.Current}, word)
}

// TestRacersFinishAtOnce: on a machine each, racers join and finish at once. The race has the order of their guesses and is over
// once. What is told of it last is how it ended.
func TestRacersFinishAtOnce(t *testing.T) {
	type finish struct {
		racer
		wrong  int
		solves bool
		at     time.Duration
	}
	wrong := []string{"slate", "shave", "mound", "grape"}
	lists := mustLists(t, "crane brick", strings.Join(wrong, " "))
	for round := range uint64(20) {
		s, random := newMemory(), rand.New(rand.NewPCG(1, round))
		var mu sync.Mutex // protects told
		var told game.Race
		all := make([]finish, 8)
		for i := range all {
			m := newManager(s, lists)
			m.RaceChanged = func(r game.Race, err error) {
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				if r.Version >= told.Version {
					told = r
				}
			}
			at := time.Minute + time.Duration(random.IntN(4))*time.Millisecond
			all[i] = finish{racer{m, game.PlayerID(fmt.Sprint("p", i)), place}, random.IntN(len(wrong) + 1), random.IntN(5) > 0, at}
		}
		race, own := all[0].start(t, made(0, 0))
		atOnce := func(all []finish, do func(i int, f finish) error) {
			var running sync.WaitGroup
			for i, f := range all {
				running.Go(func() {
					if err := do(i, f); err != nil {
						t.Error(err)
					}
				})
			}
			running.Wait()
		}
		atOnce(all[1:], func(i int, f finish) error {
			_, _, err := f.JoinRace(t.Context(), f.origin(made(0, i+1)), wordgame.Kind, race.ID)
			return err
		})
		atOnce(all, func(i int, f finish) (err error) {
			for n, word := range wrong[:f.wrong] {
				_, failed := f.guess(t.Context(), made(time.Second*time.Duration(n+1), i), word)
				err = errors.Join(err, failed)
			}
			last := made(f.at, i)
			if !f.solves {
				_, failed := f.Stop(t.Context(), f.origin(last), matches.Target{Kind: wordgame.Kind, Mode: game.Racing}, false, false)
				return errors.Join(err, failed)
			}
			_, failed := f.guess(t.Context(), last, own.State.Answer())
			return errors.Join(err, failed)
		})
		standings, err := all[0].Standings(t.Context(), told)
		if err != nil || len(standings) != len(all) || told.Over.IsZero() || told.Version != uint64(len(all)+3) {
			t.Fatalf("the race was told last as %+v with %+v, %v", told, standings, err)
		}
		before := 0
		for _, s := range standings {
			f := all[slices.IndexFunc(all, func(f finish) bool { return f.player == s.Player })]
			rank, used := len(all), f.wrong // behind all who have solved it
			if f.solves {
				rank, used = 1, f.wrong+1
				for _, other := range all {
					if other.solves && cmp.Or(cmp.Compare(other.at, f.at), other.wrong-f.wrong) < 0 {
						rank++
					}
				}
			}
			if cmp.Or(s.Rank, len(all)) != rank || s.Match.Used() != used || rank < before {
				t.Errorf("round %d: %s has place %d with %d guesses, want %d with %d", round, s.Player, s.Rank, s.Match.Used(), rank, used)
			}
			before = rank
		}
	}
}

// TestRaceEnds: a guess counts that was made before the end, whenever it comes. The race ends without a request, also when that
// was cut off in the middle. No request counts twice, and nothing is left an hour later.
func TestRaceEnds(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane brick", "slate shave"))
	clock := raceStart
	m.Now = func() time.Time { return clock }
	ana, ben, cara := racer{m, "ana", place}, racer{m, "ben", place}, racer{m, "cara", place}
	race, own := ana.start(t, made(0, 1))
	for range 2 { // the second one is a repeated request
		joined, match := ben.start(t, made(time.Minute, 2))
		if joined.ID != race.ID || len(joined.Racers) != 2 || match.Puzzle != own.Puzzle || match.State.Answer() != own.State.Answer() {
			t.Fatalf("ben joined %+v with %v", joined, match)
		}
	}
	if again, match := ana.start(t, made(time.Minute, 3)); again.Version != 4 || match.ID != own.ID {
		t.Errorf("ana joined again: %+v, %v", again, match)
	}
	late := made(10*time.Minute-time.Millisecond, 4)
	clock = raceStart.Add(10*time.Minute + 2*time.Second)
	for range 2 {
		if match, err := ben.guess(t.Context(), late, "slate"); err != nil || match.Used() != 1 || !match.Moves[0].At.Equal(raceStart.Add(10*time.Minute-time.Millisecond)) {
			t.Errorf("a guess made before the end: %v, %v", match, err)
		}
	}
	was := s.state()
	if _, err := ben.guess(t.Context(), made(10*time.Minute, 5), "shave"); !errors.Is(err, game.ErrRaceOver) {
		t.Errorf("a guess at the end: %v", err)
	}
	if _, _, err := m.JoinRace(t.Context(), cara.origin(made(10*time.Minute, 6)), wordgame.Kind, race.ID); !errors.Is(err, game.ErrRaceOver) {
		t.Errorf("joined at the end: %v", err)
	}
	end := func(on Store) error {
		m := newManager(on, m.lists) // whose clock no request has set
		m.Work = s
		m.Now = func() time.Time { return clock }
		return m.MeetDeadlines(t.Context())
	}
	if err := end(s); err != nil || !reflect.DeepEqual(s.state(), was) {
		t.Errorf("something was changed too early: %v", err)
	}
	clock = raceStart.Add(10*time.Minute + 4*time.Second)
	if err := end(&hooks{Store: s, commitRace: func(game.Race) error { return game.ErrNotSaved }}); !errors.Is(err, game.ErrNotSaved) {
		t.Errorf("cut off: %v", err)
	}
	for range 2 {
		if err := end(s); err != nil {
			t.Fatal(err)
		}
	}
	race, err := s.Race(t.Context(), wordgame.Kind, place.Channel, race.ID)
	if err != nil || race.Over.IsZero() {
		t.Errorf("the race is %+v, %v", race, err)
	}
	standings, err := m.Standings(t.Context(), race)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range standings {
		if s.Match.Status() != game.Stopped || s.Rank != 0 {
			t.Errorf("%s has place %d with %v", s.Player, s.Rank, s.Match.Status())
		}
	}
	// The next one goes on while the first one is kept, and its racers are known there still.
	next, _ := ben.start(t, made(time.Hour, 7))
	if again, err := m.Standings(t.Context(), race); err != nil || !reflect.DeepEqual(again, standings) || next.ID == race.ID {
		t.Errorf("after the next race began: %v, %v", again, err)
	}
	clock = raceStart.Add(3 * time.Hour)
	for range 3 { // ends the next one, and removes both
		if err := end(s); err != nil {
			t.Fatal(err)
		}
		clock = clock.Add(2 * time.Hour)
	}
	for _, p := range s.state() {
		if topic, _, _ := strings.Cut(p.Key, "\x00"); topic == "race" || topic == "due" || topic == "puzzle" {
			t.Errorf("%q is left", p.Key)
		}
	}
}

// TestRaceSecrets: nobody is in two races at once, and a player who has finished cannot show the word to others before its time
// is over.
func TestRaceSecrets(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane brick", "slate shave"))
	clock := raceStart
	m.Now = func() time.Time { return clock }
	elsewhere := place
	elsewhere.Channel = "elsewhere"
	ana, ben := racer{m, "ana", place}, racer{m, "ben", elsewhere}
	_, own := ana.start(t, made(0, 1))
	other, _ := ben.start(t, made(0, 2))
	away := ana
	away.place = elsewhere
	if _, match, err := m.JoinRace(t.Context(), away.origin(made(time.Second, 3)), wordgame.Kind, other.ID); !errors.Is(err, game.ErrAlreadyPlaying) || match.ID != own.ID {
		t.Errorf("ana joined a second race: %v, %v", match, err)
	}
	away.place.Channel = "third"
	opts := matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute}
	if _, match, err := m.StartRace(t.Context(), away.origin(made(time.Second, 30)), opts); !errors.Is(err, game.ErrAlreadyPlaying) || match.ID != own.ID {
		t.Errorf("ana started a second race: %v, %v", match, err)
	}
	if all, err := m.Store.Races(t.Context(), wordgame.Kind, "third"); err != nil || len(all) > 0 {
		t.Errorf("a race without anybody: %+v, %v", all, err)
	}
	away.place = elsewhere
	if _, err := ana.guess(t.Context(), made(time.Second, 4), own.State.Answer()); err != nil {
		t.Fatal(err)
	}
	if _, match, err := m.JoinRace(t.Context(), away.origin(made(2*time.Second, 20)), wordgame.Kind, other.ID); err != nil || match.ID == own.ID {
		t.Errorf("ana joined the next race: %v, %v", match, err)
	}
	if _, match, err := m.JoinRace(t.Context(), ana.origin(made(3*time.Second, 21)), wordgame.Kind, game.MatchID(own.Puzzle)); err != nil || match.ID != own.ID || match.Status() != game.Won {
		t.Errorf("ana joined the first race again: %v, %v, want %v", match, err, own)
	}
	share := func() error {
		_, err := m.past.Share(t.Context(), ana.origin(made(time.Minute, 5)), finished.Past{Number: 1})
		return err
	}
	if err := share(); !errors.Is(err, game.ErrStillRacing) {
		t.Errorf("shared while others race: %v", err)
	}
	if _, err := m.past.Match(t.Context(), game.Viewer{Player: "ben", Location: place}, finished.Past{Number: 1}); !errors.Is(err, game.ErrNotInHistory) {
		t.Errorf("ben looked at ana's match: %v", err)
	}
	clock = raceStart.Add(time.Hour)
	m2 := newManager(m.Store.(Store), m.lists) // whose clock no request has set
	m2.Now = m.Now
	m = m2
	if err := share(); err != nil {
		t.Errorf("after the end: %v", err)
	}
	// Nobody has ended the race that ben is in, but its time is over.
	if next, match := ben.start(t, made(time.Hour, 6)); next.ID == other.ID || match.Status() != game.Playing {
		t.Errorf("ben started %+v with %v", next, match)
	}
}

// overtaken is a store in which something happens before the next change of a race.
func overtaken(s Store, before func()) *hooks {
	var first sync.Once
	return &hooks{Store: s, commitRace: func(game.Race) error { first.Do(before); return nil }}
}

// twoMachines returns two machines, at the start of races, and their store.
func twoMachines(t *testing.T) (m, other machine, s *memory) {
	s = newMemory()
	lists := mustLists(t, "crane brick", "slate shave mound")
	m, other = newManager(s, lists), newManager(s, lists)
	m.Now = func() time.Time { return raceStart }
	other.Now = m.Now
	return m, other, s
}

// TestLastPlaceInRace: of two players who join at once where one place is left, the other one is in no race, and can join
// another.
func TestLastPlaceInRace(t *testing.T) {
	m, other, s := twoMachines(t)
	var race game.Race
	for i := range game.MostPlayers - 1 {
		race, _ = racer{other, game.PlayerID(fmt.Sprint("p", i)), place}.start(t, made(0, 1+i))
	}
	m.Store = overtaken(s, func() { racer{other, "ben", place}.start(t, made(time.Second, 50)) })
	ana := racer{m, "ana", place}
	if _, match, err := m.JoinRace(t.Context(), ana.origin(made(time.Second, 51)), wordgame.Kind, race.ID); !errors.Is(err, game.ErrFull) || match.Version != 0 {
		t.Fatalf("ana joined: %v, %v", match, err)
	}
	ana.place.Channel = "elsewhere"
	if _, match := ana.start(t, made(2*time.Second, 52)); match.Status() != game.Playing {
		t.Errorf("ana's next race is %v", match)
	}
}

// TestJoinedAtTheLastMoment: a race goes on for a player who joins just as all the others finish.
func TestJoinedAtTheLastMoment(t *testing.T) {
	m, other, s := twoMachines(t)
	ana, ben, cara := racer{other, "ana", place}, racer{m, "ben", place}, racer{other, "cara", place}
	race, match := ana.start(t, made(0, 1))
	racer{other, "ben", place}.start(t, made(0, 2))
	if _, err := ana.guess(t.Context(), made(time.Second, 3), match.State.Answer()); err != nil {
		t.Fatal(err)
	}
	reads := 0
	m.Store = &hooks{Store: s, readRace: func() {
		if reads++; reads == 3 { // after all have finished, and before that is stored
			cara.start(t, made(time.Second, 4))
		}
	}}
	if _, err := ben.guess(t.Context(), made(2*time.Second, 5), match.State.Answer()); err != nil {
		t.Fatal(err)
	}
	if race, err := s.Race(t.Context(), race.Kind, place.Channel, race.ID); err != nil || !race.Over.IsZero() || len(race.Racers) != 3 {
		t.Errorf("the race is %+v, %v", race, err)
	}
}

// TestRaceStartCutOff: what starts a race is cut off before the starter has a match, and the starter gets one by asking again.
// After deleting their data, a player is a new one to it.
func TestRaceStartCutOff(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane brick", "slate"))
	m.Now = func() time.Time { return raceStart }
	ana := racer{m, "ana", place}
	m.Store = &hooks{Store: s, commit: func(matches.Change) error { return game.ErrNotSaved }}
	opts := matches.RaceOptions{Kind: wordgame.Kind, Time: 10 * time.Minute}
	if _, _, err := m.StartRace(t.Context(), ana.origin(made(0, 1)), opts); !errors.Is(err, game.ErrNotSaved) {
		t.Fatal(err)
	}
	m.Store = s
	race, match := ana.start(t, made(time.Second, 2))
	if all, err := m.Standings(t.Context(), race); err != nil || len(all) != 1 || all[0].Match.ID != match.ID || match.Status() != game.Playing {
		t.Errorf("ana has %v in %+v, %v", match, all, err)
	}
	if _, err := ana.guess(t.Context(), made(2*time.Second, 3), match.State.Answer()); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: made(3*time.Second, 4)}); err != nil {
		t.Fatal(err)
	}
	race, again, err := m.StartRace(t.Context(), ana.origin(made(4*time.Second, 5)), opts)
	if err != nil || again.ID == match.ID || len(race.Racers) != 2 || race.Racers[0] != (game.Racer{Match: match.ID}) {
		t.Errorf("after deleting it: %v in %+v, %v", again, race, err)
	}
}

// TestTwoRacesStart: of two races that two processes start in a channel at once, one is run, and both players are in it, with
// nothing else in their histories. When it is over, the next one can start.
func TestTwoRacesStart(t *testing.T) {
	m, other, s := twoMachines(t)
	ana, ben := racer{m, "ana", place}, racer{other, "ben", place}
	var race game.Race
	m.Store = overtaken(s, func() { race, _ = ben.start(t, made(0, 1)) })
	opts := matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute}
	for range 2 { // the second one is a repeated request
		if got, match := ana.start(t, made(0, 2)); got.ID != race.ID || len(got.Racers) != 2 || match.Puzzle != race.Puzzle() {
			t.Errorf("ana is in %+v with %v, want %s", got, match, race.ID)
		}
	}
	for i, r := range []racer{ana, ben} {
		for k, word := range []string{"brick", "crane"} {
			if _, err := r.guess(t.Context(), made(2*time.Second, 10*i+k), word); err != nil && k == 0 {
				t.Fatal(err)
			}
		}
	}
	if _, _, err := m.StartRace(t.Context(), ana.origin(made(0, 2)), opts); !errors.Is(err, game.ErrRaceOver) {
		t.Errorf("the request that joined it, again: %v", err)
	}
	if got, _ := ben.start(t, made(3*time.Second, 4)); got.ID == race.ID {
		t.Errorf("the race goes on: %+v", got)
	}
	if got, _, err := m.StartRace(t.Context(), ana.origin(made(0, 2)), opts); !errors.Is(err, game.ErrRaceOver) || len(got.Racers) > 1 {
		t.Errorf("the same again while the next one is run: %+v, %v", got, err)
	}
}

// TestRaceBegins: a race begins some seconds after the second player has joined, unless its starter began it before. All play by
// its clock, whoever joins when: only the time of a request decides. A repeated request changes nothing.
func TestRaceBegins(t *testing.T) {
	const begins = 2*time.Second + game.Countdown
	const ends = begins + 10*time.Minute
	opts := matches.RaceOptions{Kind: wordgame.Kind, Time: 10 * time.Minute, Again: true}
	m, other, s := twoMachines(t)
	ana, ben, cara := racer{m, "ana", place}, racer{other, "ben", place}, racer{m, "cara", place}
	_, _, failed := m.StartRace(t.Context(), ana.origin(made(0, 1)), opts)
	race, _, err := m.StartRace(t.Context(), ana.origin(made(0, 1)), opts)
	if err != nil || failed != nil || !race.Begins.IsZero() || len(race.Racers) != 1 {
		t.Fatalf("posted %+v, %v, %v", race, failed, err)
	}
	begin := func(r racer, at time.Duration) error {
		_, _, err := r.BeginRace(t.Context(), r.origin(made(at, 9)), wordgame.Kind, race.ID)
		return err
	}
	if err := begin(ben, time.Second); !errors.Is(err, game.ErrNotAllowed) {
		t.Errorf("ben began it: %v", err)
	}
	if _, _, err := other.StartRace(t.Context(), ben.origin(made(2*time.Second, 3)), opts); err != nil {
		t.Fatal(err)
	}
	if err := begin(ana, 3*time.Second); err != nil {
		t.Error(err)
	}
	if _, _, err := m.JoinRace(t.Context(), cara.origin(made(ends-time.Minute, 6)), wordgame.Kind, race.ID); err != nil {
		t.Errorf("joined later: %v", err)
	}
	early := &game.NotBegunError{}
	for n, guess := range []struct {
		racer
		at  time.Duration
		err error
	}{
		{ana, time.Second, early}, {ben, begins - time.Millisecond, early}, {ben, begins, nil}, {cara, ends - time.Millisecond, nil}, {cara, ends, game.ErrRaceOver},
	} {
		_, err := guess.guess(t.Context(), made(guess.at, 10+n), "slate")
		if !errors.Is(err, guess.err) && !(guess.err == early && errors.As(err, new(*game.NotBegunError))) {
			t.Errorf("a guess of %s after %v: %v, want %v", guess.player, guess.at, err, guess.err)
		}
	}
	race, err = s.Race(t.Context(), wordgame.Kind, place.Channel, race.ID)
	if err != nil || !race.Begins.Equal(raceStart.Add(begins)) || !race.Ends.Equal(raceStart.Add(ends)) || race.Version != 4 {
		t.Errorf("it became %+v, %v", race, err)
	}
}

// TestRaceWithdrawn: a race that waits for ten minutes is over without any process's doing. Nobody is kept from the next one,
// there or elsewhere, and nobody loses by it.
func TestRaceWithdrawn(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane brick", "slate shave"))
	clock := raceStart
	m.Now = func() time.Time { return clock }
	opts := matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute, Again: true}
	ana, ben := racer{m, "ana", place}, racer{m, "ben", place}
	race, match, err := m.StartRace(t.Context(), ana.origin(made(0, 1)), opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.JoinRace(t.Context(), ben.origin(made(10*time.Minute, 2)), wordgame.Kind, race.ID); !errors.Is(err, game.ErrRaceOver) {
		t.Errorf("joined: %v", err)
	}
	if _, _, err := m.BeginRace(t.Context(), ana.origin(made(10*time.Minute, 3)), wordgame.Kind, race.ID); !errors.Is(err, game.ErrRaceOver) {
		t.Errorf("begun: %v", err)
	}
	next, own, err := m.StartRace(t.Context(), ana.origin(made(10*time.Minute, 4)), opts)
	if err != nil || next.ID == race.ID || own.ID == match.ID {
		t.Errorf("the next one is %+v with %v, %v", next, own, err)
	}
	clock = raceStart.Add(10*time.Minute + 4*time.Second)
	m2 := newManager(s, m.lists) // whose clock no request has set
	m2.Now = m.Now
	if err := m2.MeetDeadlines(t.Context()); err != nil {
		t.Fatal(err)
	}
	race, err = s.Race(t.Context(), wordgame.Kind, place.Channel, race.ID)
	ended, failed := s.Finished(t.Context(), match.ID)
	if err != nil || failed != nil || !race.Withdrawn() || ended.Match.Result().Participants[0].Outcome != "" {
		t.Errorf("it became %+v with %+v, %v, %v", race, ended, err, failed)
	}
	if got, _, err := m.JoinRace(t.Context(), ben.origin(made(11*time.Minute, 5)), wordgame.Kind, next.ID); err != nil || got.Begins.IsZero() {
		t.Errorf("the next one went on as %+v, %v", got, err)
	}
}

// TestEndRace: who may manage messages ends a race for everybody, and withdraws a challenge that each solves alone; its giver
// does that too, and nobody else. A repeated request changes nothing, and guesses made from then on do not count.
func TestEndRace(t *testing.T) {
	for name, test := range map[string]struct {
		challenge, manages bool
		by                 game.PlayerID
		err                error
	}{
		"a moderator ends a race":              {manages: true, by: "mia"},
		"its starter does not":                 {by: "ana", err: game.ErrNotAllowed},
		"a moderator withdraws a challenge":    {challenge: true, manages: true, by: "mia"},
		"its giver withdraws it":               {challenge: true, by: "ana"},
		"who solves it does not":               {challenge: true, by: "ben", err: game.ErrNotAllowed},
		"a moderator who is in a race ends it": {manages: true, by: "ben"},
	} {
		s := newMemory()
		m := newManager(s, mustLists(t, "crane brick", "slate shave"))
		m.Now = func() time.Time { return raceStart }
		ana, ben, by := racer{m, "ana", place}, racer{m, "ben", place}, racer{m, test.by, place}
		var race game.Race
		var err error
		if test.challenge {
			_, race, err = m.Challenge(t.Context(), ana.origin(made(0, 1)), matches.ChallengeOptions{Kind: wordgame.Kind, Alone: true, Puzzle: "zonky", Clue: "none"})
		} else {
			race, _ = ana.start(t, made(0, 1))
		}
		if err == nil {
			_, _, err = m.JoinRace(t.Context(), ben.origin(made(time.Second, 2)), wordgame.Kind, race.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		end := func(n int) (game.Race, error) {
			return m.EndRace(t.Context(), by.origin(made(time.Minute, n)), wordgame.Kind, race.ID, test.manages)
		}
		was := s.state()
		got, err := end(5)
		if !errors.Is(err, test.err) || race.MayEnd(test.by, test.manages) != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if test.err != nil {
			if !reflect.DeepEqual(s.state(), was) {
				t.Errorf("%s: something has changed", name)
			}
			continue
		}
		standings, err := m.Standings(t.Context(), got)
		last := standings[len(standings)-1].Match
		if err != nil || got.Over.IsZero() || last.Status() != game.Stopped || last.Stop.Player != test.by {
			t.Errorf("%s: it became %+v with %+v, %v", name, got, standings, err)
		}
		if removed := last.Challenge != nil && !last.Challenge.Shown(); removed != test.challenge || removed != (last.Result().Answer == "") {
			t.Errorf("%s: ben's match is %+v", name, last)
		}
		was = s.state()
		if _, err := end(5); (err != nil) != !test.challenge || !reflect.DeepEqual(s.state(), was) {
			t.Errorf("%s: again: %v", name, err)
		}
	}
}
