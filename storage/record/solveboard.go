package record

import (
	"fmt"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

// boardRecord is the stored form of a [solve.BoardPuzzle], a part of the session.
type boardRecord struct {
	Holes    [pokle.Players]pokle.Hole   `json:"holes"`
	Places   [pokle.Streets]pokle.Places `json:"places"`
	Steps    []turnRecord[pokle.Board]   `json:"steps,omitempty"`
	Proposal *boards.Suggestion          `json:"proposal,omitempty"`
	Chosen   *pokle.Board                `json:"chosen,omitempty"`
}

func newBoardRecord(p solve.BoardPuzzle) *boardRecord {
	r := &boardRecord{Holes: p.Setup.Deal.Holes, Places: p.Setup.Deal.Places, Steps: newTurns(p.Turns)}
	if len(p.Proposed) > 0 {
		r.Proposal = &p.Proposed[0]
	}
	if p.Chosen != (pokle.Board{}) {
		r.Chosen = &p.Chosen
	}
	return r
}

// puzzle returns what is stored, or an error that wraps [game.ErrDamaged] if no
// release can have stored it.
func (r *boardRecord) puzzle() (solve.BoardPuzzle, error) {
	deal := pokle.Deal{Holes: r.Holes, Places: r.Places}
	p := solve.BoardPuzzle{Setup: solve.BoardSetup{Deal: deal}}
	if deal.Validate() != nil {
		return p, fmt.Errorf("deal: %w", game.ErrDamaged)
	}
	for i, s := range r.Steps {
		step, err := s.turn()
		if err == nil {
			p, err = p.Add(step)
		}
		if err != nil {
			return p, fmt.Errorf("step %d: %w", i+1, game.ErrDamaged)
		}
	}
	if r.Chosen != nil {
		var err error
		if p, err = p.Choose(*r.Chosen); err != nil {
			return p, fmt.Errorf("the board chosen: %w", game.ErrDamaged)
		}
	}
	if s := r.Proposal; s != nil {
		if p.Allows(s.Board) != nil {
			return p, fmt.Errorf("the board proposed: %w", game.ErrDamaged)
		}
		p.Proposed = []boards.Suggestion{*s}
	}
	return p, nil
}
