package game

import (
	"slices"
	"time"
)

// TurnTime is how long a player in a match in turns has for a guess. VoteTime is the time from the first proposal to the guess
// that is made of it. After passesToLeave turns in a row without a guess, a player has left the order.
const (
	TurnTime      = 2 * time.Minute
	VoteTime      = 20 * time.Second
	passesToLeave = 2
)

// Call is what happened in a match in turns or by vote, besides guesses: a player's turn passed, a player proposed a guess or,
// without either, joined. Once the match has ended, it has no calls: see [Match.WithoutCalls].
type Call struct {
	Player   PlayerID
	At       time.Time
	Version  uint64 // of the match, after the call
	Passed   bool   `json:",omitzero"`
	Proposed string `json:",omitzero"` // as the player typed it; hidden until it is played
}

// Order is who plays in a match in turns or by vote, and what comes next.
type Order struct {
	Players   []PlayerID // as they joined; in turns, they follow one another so
	Turn      PlayerID   // whose turn it is, in turns
	Proposals []Call     // those that stand, one a player, oldest first
	// Due is when the turn passes, or the most wanted proposal is played; zero for no such time. A player alone has all the time
	// in the world.
	Due time.Time
}

// Order returns who plays, and what comes next. It is zero for a match in another mode. The match's starter is the first player.
func (m Match) Order() (o Order) {
	if !m.Mode.Paced() {
		return o
	}
	o.Players, o.Turn = []PlayerID{m.Starter}, m.Starter
	since, passes := m.Started, map[PlayerID]int{}
	guessed := func(v Move) {
		passes[v.Player], since, o.Proposals, o.Due, o.Turn = 0, v.At, nil, time.Time{}, o.after(o.Turn)
	}
	moves := m.Moves
	for _, c := range m.Calls {
		for ; len(moves) > 0 && moves[0].Version < c.Version; moves = moves[1:] {
			guessed(moves[0])
		}
		switch {
		case c.Passed:
			passes[c.Player]++
			since, o.Turn = c.At, o.after(c.Player)
			if passes[c.Player] == passesToLeave && len(o.Players) > 1 {
				passes[c.Player], o.Players = 0, distinct(o.Players, c.Player)
			}
			continue
		case !slices.Contains(o.Players, c.Player):
			if o.Players = append(o.Players, c.Player); len(o.Players) == 2 {
				since = c.At
			}
		}
		if c.Proposed != "" {
			if len(o.Proposals) == 0 {
				o.Due = c.At.Add(VoteTime)
			}
			o.Proposals = append(slices.DeleteFunc(o.Proposals, func(p Call) bool { return p.Player == c.Player }), c)
		}
	}
	for _, v := range moves {
		guessed(v)
	}
	switch {
	case m.Mode == Vote:
		o.Turn = ""
	case len(o.Players) > 1:
		o.Due = since.Add(TurnTime)
	}
	return o
}

// after returns the player whose turn comes after p's.
func (o Order) after(p PlayerID) PlayerID {
	return o.Players[(slices.Index(o.Players, p)+1)%len(o.Players)]
}

// Before returns the player whose turn comes before p's. The player p must be in the order.
func (o Order) Before(p PlayerID) PlayerID {
	return o.Players[(slices.Index(o.Players, p)+len(o.Players)-1)%len(o.Players)]
}

// Proposal returns a player's proposal that stands, or "".
func (o Order) Proposal(p PlayerID) string {
	if i := slices.IndexFunc(o.Proposals, func(c Call) bool { return c.Player == p }); i >= 0 {
		return o.Proposals[i].Proposed
	}
	return ""
}

// Wanted returns the proposal that most players want, as the first of them made it. Of several equally wanted ones it is the one
// that was made first. There must be a proposal. Same reports whether two proposals are the same guess.
func (o Order) Wanted(same func(a, b string) bool) (most Call) {
	votes := 0
	for _, c := range o.Proposals {
		alike := slices.DeleteFunc(slices.Clone(o.Proposals), func(p Call) bool { return p.Player != c.Player && !same(c.Proposed, p.Proposed) })
		if len(alike) > votes {
			most, votes = c, len(alike)
		}
	}
	return most
}

// WithCall returns the match with one more call, which gets the match's next version.
func (m Match) WithCall(c Call) Match {
	c.Version = m.Version + 1
	m.Calls = append(slices.Clip(m.Calls), c)
	return m
}

// Guessed reports whether the latest version of the match was made by a guess.
func (m Match) Guessed() bool {
	return len(m.Moves) > 0 && m.Moves[len(m.Moves)-1].Version == m.Version
}

// WithoutCalls returns an ended match as it is kept: without proposals, and without the names of players who only joined.
func (m Match) WithoutCalls() Match {
	m.Calls = nil
	named := m.Named()
	m.Names = m.Names.Of(func(p PlayerID) bool { return slices.Contains(named, p) })
	return m
}
