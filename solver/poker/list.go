package poker

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"fivefold/game/pokle"
)

// ErrNothingFits means that no board fits a deal.
var ErrNothingFits = errors.New("no board fits the deal")

// Fitting lists the boards that fit the deal. They are canonical and sorted; most deals have some
// thousands, and hardly any has more than thirty thousand. The error is one of
// [pokle.Deal.Validate], [ErrNothingFits], or ctx's.
func Fitting(ctx context.Context, d pokle.Deal) ([]pokle.Board, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	l := newLister(d)
	if err := l.flops(ctx); err != nil {
		return nil, err
	}
	if len(l.boards) == 0 {
		return nil, ErrNothingFits
	}
	return l.boards, nil
}

// lister lists boards street by street. Most flops and turns give other places than the deal, so
// few turns and rivers are tried.
type lister struct {
	boards []pokle.Board
	deal   pokle.Deal
	holes  [pokle.Players]pokle.Cards
	deck   []pokle.Card // the cards that no player holds
	limit  int          // flops stops once there are more boards; 0 means no limit
}

func newLister(d pokle.Deal) *lister {
	l := &lister{deal: d}
	for i, hole := range d.Holes {
		l.holes[i] = hole.Cards()
	}
	held := l.holes[0] | l.holes[1] | l.holes[2]
	for c := range pokle.Card(pokle.Deck) {
		if !held.Has(c) {
			l.deck = append(l.deck, c)
		}
	}
	return l
}

// fits reports whether the cards give the places of the street, and returns the cards that
// hands use on it. It agrees with [pokle.Showdown], but two of the three hands are usually
// enough to reject a board.
func (l *lister) fits(s pokle.Street, board pokle.Cards) (used pokle.Cards, ok bool) {
	places := &l.deal.Places[s]
	a, coreA := (board | l.holes[0]).Evaluate()
	b, coreB := (board | l.holes[1]).Evaluate()
	if cmp.Compare(places[0], places[1]) != cmp.Compare(b, a) {
		return 0, false
	}
	c, coreC := (board | l.holes[2]).Evaluate()
	if cmp.Compare(places[0], places[2]) != cmp.Compare(c, a) || cmp.Compare(places[1], places[2]) != cmp.Compare(c, b) {
		return 0, false
	}
	return coreA | coreB | coreC, true
}

func (l *lister) flops(ctx context.Context) error {
	for i, first := range l.deck {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("listing the boards: %w", err)
		}
		for j, second := range l.deck[i+1:] {
			for _, third := range l.deck[i+1+j+1:] {
				if l.limit > 0 && len(l.boards) > l.limit {
					return nil
				}
				flop := pokle.SetOf(first, second, third)
				if used, ok := l.fits(pokle.Flop, flop); ok {
					l.turns(pokle.Board{first, second, third}, flop, used)
				}
			}
		}
	}
	return nil
}

func (l *lister) turns(b pokle.Board, flop, used pokle.Cards) {
	for _, turn := range l.deck {
		if flop.Has(turn) {
			continue
		}
		if core, ok := l.fits(pokle.Turn, flop.Add(turn)); ok {
			b[3] = turn
			l.rivers(b, flop.Add(turn), used|core)
		}
	}
}

func (l *lister) rivers(b pokle.Board, four, used pokle.Cards) {
	for _, river := range l.deck {
		if four.Has(river) {
			continue
		}
		five := four.Add(river)
		if core, ok := l.fits(pokle.River, five); ok && five&^(used|core) == 0 {
			b[4] = river
			l.boards = append(l.boards, b)
		}
	}
}

// Step is a guess and its feedback.
type Step = pokle.Step

// After returns the boards that give the feedback of every step, in their order.
func After(d pokle.Deal, boards []pokle.Board, steps []Step) []pokle.Board {
	var remaining []pokle.Board
next:
	for _, b := range boards {
		for _, s := range steps {
			if d.Score(s.Guess, b) != s.Feedback {
				continue next
			}
		}
		remaining = append(remaining, b)
	}
	return remaining
}
