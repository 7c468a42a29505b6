package game

import (
	"fmt"

	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// pokleRecord is what a match of the poker game begins with.
type pokleRecord struct {
	Holes [pokle.Players]pokle.Hole `json:"holes"`
	// Places could be worked out from the rest; they are what players were shown.
	Places [pokle.Streets]pokle.Places `json:"places"`
	Hidden pokle.Board                 `json:"hidden"`
}

func newPokleRecord(s pokle.State) *pokleRecord {
	d := s.Deal()
	return &pokleRecord{d.Holes, d.Places, s.Hidden()}
}

// state returns the game without guesses, or [ErrDamaged] where it is none.
func (r *pokleRecord) state() (pokle.State, error) {
	deal := pokle.Deal{Holes: r.Holes, Places: r.Places}
	if deal.Validate() != nil || deal.Allows(r.Hidden) != nil {
		return pokle.State{}, fmt.Errorf("deal: %w", ErrDamaged)
	}
	return pokle.NewState(deal, r.Hidden), nil
}

// suggestedRecord is a suggestion of the poker game.
type suggestedRecord struct {
	Board     pokle.Board `json:"board"`
	Remaining int         `json:"remaining"`
	Entropy   float64     `json:"entropy"`
	Guesses   float64     `json:"guesses,omitempty"`
	Proven    bool        `json:"proven,omitempty"`
}

// stepRecord is a guess of which nothing else tells the feedback.
type stepRecord struct {
	Guess    pokle.Board `json:"guess"`
	Feedback string      `json:"feedback"` // B, Y and G
}

// step returns the step, or an error where it is none.
func (s stepRecord) step() (boards.Step, error) {
	f, err := pokle.ParseFeedback(s.Feedback)
	if s.Guess == (pokle.Board{}) {
		err = ErrDamaged
	}
	return boards.Step{Guess: s.Guess, Feedback: f}, err
}
