package record

import (
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

const sessionFormat = 1

// sessionRecord has the player's word puzzle at its top level.
type sessionRecord struct {
	Player       game.PlayerID             `json:"player"`
	Version      uint64                    `json:"version"`
	Turns        []turnRecord[wordle.Word] `json:"turns,omitempty"`
	Hard         bool                      `json:"hard,omitempty"`
	Strategy     string                    `json:"strategy,omitempty"`
	Advice       []weighted.Suggestion     `json:"advice,omitempty"`
	Chosen       wordle.Word               `json:"chosen,omitempty"`
	Lost         int                       `json:"lost,omitempty"`
	Distribution [wordle.Attempts]int      `json:"distribution"`
	Board        *boardRecord              `json:"board,omitempty"` // none before its first deal
	Requests     []game.RequestID          `json:"requests"`
}

// EncodeSession returns the stored form of a player's session.
func EncodeSession(s solve.Session) ([]byte, error) {
	r := sessionRecord{
		Player: s.Player, Version: s.Version,
		Hard: s.Words.Setup.Hard, Turns: newTurns(s.Words.Turns), Advice: s.Words.Proposed, Strategy: s.Words.Setup.Strategy, Chosen: s.Words.Chosen,
		Lost: s.Record.Lost, Distribution: s.Record.Distribution, Requests: s.Requests,
	}
	if s.Board.Setup.HasDeal() {
		r.Board = newBoardRecord(s.Board)
	}
	return Encode(sessionFormat, r)
}

// DecodeSession reads what [EncodeSession] writes. The error wraps
// [game.ErrNewer] or [game.ErrDamaged] and never contains the record.
func DecodeSession(data []byte) (solve.Session, error) {
	r, err := Decode[sessionRecord](data, sessionFormat)
	if err != nil {
		return solve.Session{}, fmt.Errorf("session: %w", err)
	}
	count := append(slices.Clone(r.Distribution[:]), r.Lost)
	if r.Player == "" || r.Version == 0 || len(r.Turns) > wordle.Attempts || slices.Min(count) < 0 {
		return solve.Session{}, fmt.Errorf("session: a field is missing or out of bounds: %w", game.ErrDamaged)
	}
	s := solve.Session{
		Player: r.Player, Version: r.Version,
		Words:    solve.WordPuzzle{Setup: solve.WordSetup{Hard: r.Hard, Strategy: r.Strategy}, Chosen: r.Chosen, Proposed: r.Advice},
		Record:   solve.Record{Lost: r.Lost, Distribution: r.Distribution},
		Requests: append([]game.RequestID(nil), r.Requests...),
	}
	if r.Board != nil {
		if s.Board, err = r.Board.puzzle(); err != nil {
			return solve.Session{}, fmt.Errorf("session: %w", err)
		}
	}
	for i, t := range r.Turns {
		turn, err := t.turn()
		if err != nil || turn.Feedback == wordle.AllGreen && i < len(r.Turns)-1 {
			return solve.Session{}, fmt.Errorf("session: turn %d: %w", i+1, game.ErrDamaged)
		}
		s.Words.Turns = append(s.Words.Turns, turn)
	}
	if slices.ContainsFunc(r.Advice, func(a weighted.Suggestion) bool { return a.Word == 0 }) {
		return solve.Session{}, fmt.Errorf("session: advice: %w", game.ErrDamaged)
	}
	return s, nil
}
