package game_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/storage/storagetest"
)

// memory is a game.Store of plain maps: the tests' own, and what a store's
// contract looks like without a disk.
type memory struct {
	secret string     // of 32 bytes
	mu     sync.Mutex // protects memoryState
	memoryState
}

type memoryState struct {
	matches  map[game.MatchID]game.Match
	latest   map[game.Slot]game.MatchID
	receipts map[game.RequestID]receipt
	recent   map[string][]string
	puzzles  map[puzzle]game.State
	results  []game.Result
	reviews  map[game.MatchID]game.Review
	gone     map[game.MatchID]bool // from the history
	cleared  map[game.RequestID]bool
	// forgotten is how many of the results were removed. Totals need them still.
	forgotten int
}

type puzzle struct {
	kind game.Kind
	id   game.PuzzleID
}

type receipt struct {
	match   game.MatchID
	version uint64
}

func newMemory() *memory {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return &memory{secret: string(secret), memoryState: memoryState{
		matches:  map[game.MatchID]game.Match{},
		latest:   map[game.Slot]game.MatchID{},
		receipts: map[game.RequestID]receipt{},
		recent:   map[string][]string{},
		puzzles:  map[puzzle]game.State{},
		reviews:  map[game.MatchID]game.Review{},
		gone:     map[game.MatchID]bool{},
		cleared:  map[game.RequestID]bool{},
	}}
}

// state returns a copy that later commits do not change.
func (s *memory) state() memoryState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return memoryState{
		maps.Clone(s.matches), maps.Clone(s.latest), maps.Clone(s.receipts), maps.Clone(s.recent), maps.Clone(s.puzzles),
		slices.Clone(s.results), maps.Clone(s.reviews), maps.Clone(s.gone), maps.Clone(s.cleared), s.forgotten,
	}
}

func (s *memory) Load(ctx context.Context, t game.Slot) (game.Match, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.latest[t]
	switch {
	case ctx.Err() != nil:
		return game.Match{}, ctx.Err()
	case !ok:
		return game.Match{}, game.ErrNoMatch
	}
	return s.matches[id], nil
}

func (s *memory) Repeated(ctx context.Context, _ game.Slot, request game.RequestID) (game.Match, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.receipts[request]
	return s.matches[r.match], r.version, ctx.Err()
}

func (s *memory) Unfinished(ctx context.Context, after game.Unfinished, limit int) ([]game.Unfinished, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []game.Unfinished
	for _, id := range s.latest {
		m := s.matches[id]
		if m.Status() != game.Playing {
			continue
		}
		var last game.RequestID
		for request, r := range s.receipts {
			if r == (receipt{m.ID, m.Version}) {
				last = request
			}
		}
		list = append(list, m.Unfinished(last))
	}
	order := func(a, b game.Unfinished) int { return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Match, b.Match)) }
	slices.SortFunc(list, order)
	list = slices.DeleteFunc(list, func(u game.Unfinished) bool { return order(u, after) <= 0 })
	return list[:min(limit, len(list))], ctx.Err()
}

func (s *memory) RecentAnswers(ctx context.Context, list string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.recent[list]), ctx.Err()
}

func (s *memory) Puzzle(ctx context.Context, k game.Kind, p game.PuzzleID) (game.State, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, ok := s.puzzles[puzzle{k, p}]
	return state, ok, ctx.Err()
}

func (s *memory) Secret(ctx context.Context) ([]byte, error) { return []byte(s.secret), ctx.Err() }

func (s *memory) Commit(ctx context.Context, c game.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	m := c.Match
	stored := s.matches[m.ID]
	slot := m.Slot()
	latest, played := s.matches[s.latest[slot]]
	shared := puzzle{m.Kind, m.Puzzle}
	known, ok := s.puzzles[shared]
	recent := func(answers []string) []string { return answers[max(0, len(answers)-c.Recent.Keep):] }
	switch {
	case s.receipts[c.Request].version != 0, s.cleared[c.Request], stored.Version != m.Version-1:
		return game.ErrConflict
	case m.Version > 1 && latest.ID != m.ID:
		return game.ErrConflict
	case m.Version == 1 && played && (latest.Status() == game.Playing || m.Puzzle != ""):
		return game.ErrConflict
	case m.Version == 1 && ok && known != m.State.Fresh(false):
		return game.ErrConflict
	case m.Version == 1 && !ok && slices.Contains(recent(s.recent[c.Recent.Name]), m.State.Answer()):
		return game.ErrConflict
	}
	s.matches[m.ID] = m
	s.latest[slot] = m.ID
	s.receipts[c.Request] = receipt{m.ID, m.Version}
	if m.Version == 1 && !ok {
		if m.Puzzle != "" {
			s.puzzles[shared] = m.State.Fresh(false)
		}
		if c.Recent.Keep > 0 {
			s.recent[c.Recent.Name] = recent(append(slices.Clip(s.recent[c.Recent.Name]), m.State.Answer()))
		}
	}
	if m.Status() != game.Playing {
		r := m.Result()
		r.Number = uint64(len(s.results) + 1)
		s.results = append(s.results, r)
	}
	return nil
}

func (s *memory) Totals(ctx context.Context, scope game.Scope, player game.PlayerID) (game.Totals, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := game.Tally(s.results)[scope][player]
	t.Player = player
	return t, ctx.Err()
}

func (s *memory) Leaderboard(ctx context.Context, scope game.Scope, player game.PlayerID, top int) (game.Leaderboard, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Collect(maps.Values(game.Tally(s.results)[scope]))
	all = slices.DeleteFunc(all, func(t game.Totals) bool { return t.Played == 0 })
	slices.SortFunc(all, func(a, b game.Totals) int {
		if c := a.Compare(b); c != 0 {
			return c
		}
		return strings.Compare(string(a.Player), string(b.Player))
	})
	board := game.Leaderboard{Players: len(all)}
	place := 0
	for i, t := range all {
		if i == 0 || t.Compare(all[i-1]) != 0 {
			place = i + 1
		}
		row := game.Row{Place: place, Totals: t}
		if i < top {
			board.Top = append(board.Top, row)
		}
		if t.Player == player {
			board.Own = row
		}
	}
	return board, ctx.Err()
}

func (s *memory) Results(ctx context.Context, after uint64, limit int) ([]game.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := s.results[min(max(after, uint64(s.forgotten)), uint64(len(s.results))):]
	return slices.Clone(from[:min(limit, len(from))]), ctx.Err()
}

// history returns the entries of a community or, for the empty one, of everywhere,
// oldest first.
func (s *memory) history(community string) []game.Entry {
	var all []game.Entry
	last := map[string]uint64{}
	for i, r := range s.results {
		p := r.Location.Community()
		last[p]++
		e := game.Entry{Number: last[p], Result: r}
		if community == "" {
			e.Number = r.Number
		}
		if i >= s.forgotten && (community == "" || community == p) && !s.gone[r.Match] {
			all = append(all, e)
		}
	}
	return all
}

func (s *memory) History(ctx context.Context, f game.Filter) ([]game.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Community == "" && f.Player == "" {
		return nil, ctx.Err()
	}
	all := slices.DeleteFunc(s.history(f.Community), func(e game.Entry) bool {
		own := f.Viewer != "" && slices.Contains(s.matches[e.Result.Match].Named(), f.Viewer)
		return !e.Result.Public() && !own || f.Community != "" && e.Result.Public() && slices.Contains(f.Without, e.Result.Channel()) ||
			f.Player != "" && !slices.Contains(s.matches[e.Result.Match].Named(), f.Player) ||
			f.Kind != "" && e.Result.Kind != f.Kind || f.Status != "" && e.Result.Status != f.Status ||
			f.PlayedOut && e.Result.Status == game.Stopped || f.Answer != "" && e.Result.Answer != f.Answer ||
			f.Before != 0 && e.Number >= f.Before || e.Number < f.From
	})
	if f.From > 0 {
		all = all[:min(f.Limit, len(all))]
	}
	slices.Reverse(all)
	return all[:min(f.Limit, len(all))], ctx.Err()
}

func (s *memory) Finished(ctx context.Context, match game.MatchID) (game.Finished, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.matches[match]
	for _, e := range s.history(m.Location.Community()) {
		if e.Result.Match == match {
			return game.Finished{Number: e.Number, Match: m}, ctx.Err()
		}
	}
	return game.Finished{}, game.ErrNotInHistory
}

func (s *memory) Review(ctx context.Context, match game.Match) (game.Review, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.reviews[match.ID]
	return r, ok, ctx.Err()
}

func (s *memory) SaveReview(ctx context.Context, match game.Match, r game.Review) error {
	_, err := s.Finished(ctx, match.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, saved := s.reviews[match.ID]; !saved && err == nil {
		s.reviews[match.ID] = r
	}
	return ctx.Err()
}

func (s *memory) Clear(ctx context.Context, c game.ClearRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || s.cleared[c.Request] {
		return ctx.Err()
	}
	s.cleared[c.Request] = true
	maps.DeleteFunc(s.latest, func(t game.Slot, id game.MatchID) bool {
		return t.Player == c.Player && s.matches[id].Status() != game.Playing
	})
	for i, r := range s.results {
		if i < s.forgotten {
			s.results[i].Participants = slices.Clone(r.Participants) // their hints and guesses still count for the others
			for n, p := range r.Participants {
				if p.Player == c.Player {
					s.results[i].Participants[n].Player = ""
				}
			}
			continue
		}
		m := s.matches[r.Match]
		if !slices.Contains(m.Named(), c.Player) {
			continue
		}
		m = m.Without(c.Player)
		if m.Result().Anonymous() {
			s.gone[m.ID] = true
			delete(s.reviews, m.ID)
			for _, p := range m.Named() {
				m = m.Without(p)
			}
		}
		s.matches[m.ID] = m
		s.results[i] = m.Result()
		s.results[i].Number = r.Number
	}
	return nil
}

func (s *memory) Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error {
	f, err := s.Finished(ctx, match)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || f.Match.Result().Public() {
		return err
	}
	f.Match.Shared = channel
	s.matches[match] = f.Match
	i := slices.IndexFunc(s.results, func(r game.Result) bool { return r.Match == match })
	s.results[i].Shared = channel
	return ctx.Err()
}

func (s *memory) Forget(ctx context.Context, before time.Time) (removed int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil && s.forgotten < len(s.results) && s.results[s.forgotten].Ended.Before(before) {
		id := s.results[s.forgotten].Match
		delete(s.matches, id)
		delete(s.reviews, id)
		maps.DeleteFunc(s.latest, func(_ game.Slot, latest game.MatchID) bool { return latest == id })
		maps.DeleteFunc(s.receipts, func(_ game.RequestID, r receipt) bool { return r.match == id })
		s.forgotten++
		removed++
	}
	return removed, ctx.Err()
}

func (s *memory) Forgotten(ctx context.Context, community string) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := uint64(0)
	for _, r := range s.results[:s.forgotten] {
		if r.Location.Community() == community {
			last++
		}
	}
	return last, ctx.Err()
}

func (s *memory) Close() error { return nil }

func TestMemory(t *testing.T) {
	racetest.Skip(t)
	var stores sync.Map // one for each test
	storagetest.Run(t, storagetest.Games(), func(t *testing.T) game.Store {
		s, _ := stores.LoadOrStore(t.Name(), newMemory())
		return s.(*memory)
	})
}

// mustLists returns lists from words with spaces between; every answer can be
// guessed.
func mustLists(tb testing.TB, answers, guesses string) *wordle.Lists {
	tb.Helper()
	return wordletest.Lists(tb, answers, answers+" "+guesses)
}
