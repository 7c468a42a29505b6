package game

import (
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/game/wordle"
	"fivefold/solver/weighted"
)

// notesFormat is the format number of stored notes, by the rules of the records
// beside it.
const notesFormat = 1

type notesRecord struct {
	Format       int                  `json:"format"`
	Player       PlayerID             `json:"player"`
	Version      uint64               `json:"version"`
	Turns        []turnRecord         `json:"turns,omitempty"`
	Hard         bool                 `json:"hard,omitempty"`
	Strategy     string               `json:"strategy,omitempty"`
	Advice       []adviceRecord       `json:"advice,omitempty"`
	Chosen       wordle.Word          `json:"chosen,omitempty"`
	Lost         int                  `json:"lost,omitempty"`
	Distribution [wordle.Attempts]int `json:"distribution"`
	Board        *boardRecord         `json:"board,omitempty"` // none before its first deal
	Requests     []RequestID          `json:"requests"`
}

type adviceRecord struct {
	Word      wordle.Word `json:"word"`
	Chance    float64     `json:"chance,omitempty"`
	Remaining int         `json:"remaining"`
	Expected  float64     `json:"expected"`
	Groups    int         `json:"groups"`
	Worst     int         `json:"worst"`
	Guesses   float64     `json:"guesses,omitempty"`
	Proven    bool        `json:"proven,omitempty"`
}

// EncodeNotes returns the stored form of a player's notes.
func EncodeNotes(n Notes) ([]byte, error) {
	r := notesRecord{
		Format: notesFormat, Player: n.Player, Version: n.Version,
		Hard: n.Puzzle.Hard, Strategy: n.Puzzle.Strategy, Chosen: n.Puzzle.Chosen,
		Lost: n.Record.Lost, Distribution: n.Record.Distribution, Requests: n.Requests,
	}
	for _, t := range n.Puzzle.Turns {
		r.Turns = append(r.Turns, turnRecord{t.Guess, t.Feedback.String()})
	}
	for _, a := range n.Puzzle.Advice {
		r.Advice = append(r.Advice, adviceRecord(a))
	}
	if n.Board.HasDeal() {
		r.Board = newBoardRecord(n.Board)
	}
	return json.Marshal(r)
}

// DecodeNotes reads what any release so far has stored, as [DecodeMatch] does.
func DecodeNotes(data []byte) (Notes, error) {
	var r notesRecord
	if err := decode(data, notesFormat, &r, &r.Format); err != nil {
		return Notes{}, fmt.Errorf("notes: %w", err)
	}
	count := append(slices.Clone(r.Distribution[:]), r.Lost)
	if r.Player == "" || r.Version == 0 || len(r.Turns) > wordle.Attempts || slices.Min(count) < 0 {
		return Notes{}, fmt.Errorf("notes: a field is missing or out of bounds: %w", ErrDamaged)
	}
	n := Notes{
		Player: r.Player, Version: r.Version,
		Puzzle:   Puzzle{Hard: r.Hard, Strategy: r.Strategy, Chosen: r.Chosen},
		Record:   PuzzleRecord{r.Lost, r.Distribution},
		Requests: append([]RequestID(nil), r.Requests...),
	}
	if r.Board != nil {
		var err error
		if n.Board, err = r.Board.puzzle(); err != nil {
			return Notes{}, fmt.Errorf("notes: %w", err)
		}
	}
	for i, t := range r.Turns {
		turn, err := t.turn()
		if err != nil || turn.Feedback == wordle.AllGreen && i < len(r.Turns)-1 {
			return Notes{}, fmt.Errorf("notes: turn %d: %w", i+1, ErrDamaged)
		}
		n.Puzzle.Turns = append(n.Puzzle.Turns, turn)
	}
	for i, a := range r.Advice {
		if a.Word == 0 {
			return Notes{}, fmt.Errorf("notes: advice %d: %w", i+1, ErrDamaged)
		}
		n.Puzzle.Advice = append(n.Puzzle.Advice, weighted.Advice(a))
	}
	return n, nil
}
