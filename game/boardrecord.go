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
	Proposal *suggestedRecord            `json:"proposal,omitempty"`
	Chosen   *pokle.Board                `json:"chosen,omitempty"`
}

func newBoardRecord(p BoardPuzzle) *boardRecord {
	r := &boardRecord{Holes: p.Deal.Holes, Places: p.Deal.Places}
	for _, s := range p.Steps {
		r.Steps = append(r.Steps, stepRecord{s.Guess, s.Feedback.String()})
	}
	r.Proposal = (*suggestedRecord)(p.Proposal)
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
		step, err := s.step()
		if err == nil {
			p, err = p.Add(step)
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
		p.Proposal = (*boards.Suggestion)(s)
	}
	return p, nil
}
