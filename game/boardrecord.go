package game

import (
	"fmt"

	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// boardRecord is the stored form of a [BoardPuzzle], a part of the notes.
type boardRecord struct {
	Holes    [pokle.Players]pokle.Hole   `json:"holes"`
	Places   [pokle.Streets]pokle.Places `json:"places"`
	Steps    []stepRecord                `json:"steps,omitempty"`
	Proposal *proposalRecord             `json:"proposal,omitempty"`
	Chosen   *pokle.Board                `json:"chosen,omitempty"`
}

type stepRecord struct {
	Guess    pokle.Board `json:"guess"`
	Feedback string      `json:"feedback"`
}

type proposalRecord struct {
	Board     pokle.Board `json:"board"`
	Remaining int         `json:"remaining"`
	Entropy   float64     `json:"entropy"`
	Guesses   float64     `json:"guesses,omitempty"`
	Proven    bool        `json:"proven,omitempty"`
}

func newBoardRecord(p BoardPuzzle) *boardRecord {
	r := &boardRecord{Holes: p.Deal.Holes, Places: p.Deal.Places}
	for _, s := range p.Steps {
		r.Steps = append(r.Steps, stepRecord{s.Guess, s.Feedback.String()})
	}
	if s := p.Proposal; s != nil {
		r.Proposal = &proposalRecord{s.Board, s.Remaining, s.Entropy, s.Guesses, s.Proven}
	}
	if p.Chosen != (pokle.Board{}) {
		r.Chosen = &p.Chosen
	}
	return r
}

// puzzle returns what is stored, or [ErrDamaged] for what no release stores.
func (r *boardRecord) puzzle() (BoardPuzzle, error) {
	p := BoardPuzzle{Deal: pokle.Deal{Holes: r.Holes, Places: r.Places}}
	if p.Deal.Validate() != nil {
		return p, fmt.Errorf("deal: %w", ErrDamaged)
	}
	for i, s := range r.Steps {
		f, err := pokle.ParseFeedback(s.Feedback)
		if err == nil {
			p, err = p.Add(boards.Step{Guess: s.Guess, Feedback: f})
		}
		if err != nil {
			return p, fmt.Errorf("step %d: %w", i+1, ErrDamaged)
		}
	}
	if r.Chosen != nil {
		var err error
		if p, err = p.Choose(*r.Chosen); err != nil {
			return p, fmt.Errorf("the board chosen: %w", ErrDamaged)
		}
	}
	if s := r.Proposal; s != nil {
		if p.allow(s.Board) != nil {
			return p, fmt.Errorf("the board proposed: %w", ErrDamaged)
		}
		p.Proposal = &boards.Suggestion{Board: s.Board, Remaining: s.Remaining, Entropy: s.Entropy, Guesses: s.Guesses, Proven: s.Proven}
	}
	return p, nil
}
