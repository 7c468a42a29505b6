package game

import (
	"errors"
	"fmt"
)

// Why a request changes nothing. The rules' own errors (a repeated word, hard
// mode) come from the packages of the rules.
var (
	// ErrNoMatch: nothing was ever played in the slot.
	ErrNoMatch = errors.New("no match in this slot")
	// ErrCleared: something was played in the slot, and its player has cleared the history since, but
	// must not play it again. It is an ErrNoMatch.
	ErrCleared = fmt.Errorf("played, and cleared from the history: %w", ErrNoMatch)
	// ErrEnded: the slot's match is over.
	ErrEnded = errors.New("the match has ended")
	// ErrAmbiguous: the player is playing more than one match here, and named no mode. An
	// [*AmbiguousError] wraps it.
	ErrAmbiguous = errors.New("more than one match")
	// ErrAlreadyPlayed: the player has already played the puzzle.
	ErrAlreadyPlayed = errors.New("the puzzle was played")
	// ErrNoDaily: by our clock it is before the first daily puzzle.
	ErrNoDaily = errors.New("no daily puzzle yet")
	// ErrAlreadyPlaying: a match is being played, so none can be started.
	ErrAlreadyPlaying = errors.New("a match is already being played")
	// ErrNotAllowed: only the player who started the match can do that, or someone
	// who may manage the channel.
	ErrNotAllowed = errors.New("not allowed")
	// ErrUnsure: stopping the match would cost something, so the player must be sure.
	ErrUnsure = errors.New("the player is not sure")
	// ErrNotFinished: the match is still being played, so it cannot be shown as a finished
	// one.
	ErrNotFinished = errors.New("the match is still being played")
	// ErrNotInHistory: no finished match has that number, or its players have cleared it
	// from the history.
	ErrNotInHistory = errors.New("no such finished match")
	// ErrOtherChannel: the match was played in a channel that the player may not read.
	ErrOtherChannel = errors.New("a match of a channel that cannot be read")
	// ErrNotAlone: the match was not played alone, so its channel sees it anyway.
	ErrNotAlone = errors.New("a match that everybody in its channel sees")
	// ErrNotOwn: the match is not one that the player has played alone.
	ErrNotOwn = errors.New("another player's match")
	// ErrShared: the match has been shared there already.
	ErrShared = errors.New("shared already")
	// ErrNotPast: the archive has no such puzzle (yet).
	ErrNotPast = errors.New("not a past daily puzzle")
	// ErrForgotten: the match is not in the history any longer, since old ones are not kept. It wraps ErrNotInHistory.
	ErrForgotten = fmt.Errorf("the match is no longer kept: %w", ErrNotInHistory)
	// ErrRemoved: the match was a challenge that a moderator has removed.
	ErrRemoved = errors.New("a removed challenge")
	// ErrAllKnown: there is nothing left to give away.
	ErrAllKnown = errors.New("nothing left to give away")
	// ErrRaceOver: the race is over, or it is no longer known.
	ErrRaceOver = errors.New("the race is over")
	// ErrGiver: the player has given the puzzle of a challenge, and knows it.
	ErrGiver = errors.New("the giver of the challenge")
	// ErrRaceFull: no more players can join the race.
	ErrRaceFull = errors.New("the race is full")
	// ErrStillRacing: others may still be solving the puzzle of the race.
	ErrStillRacing = errors.New("the race is not over")
	// ErrKind: no game of that kind is known, or the move is of another kind than the
	// match.
	ErrKind = errors.New("another kind of game")
	// ErrMode: the kind of game cannot be played in that mode.
	ErrMode = errors.New("no such mode")
	// ErrHint: the kind of game has no such hints.
	ErrHint = errors.New("no such hint")
	// ErrExpired: the request was not carried out before its [Origin.Expires].
	ErrExpired = errors.New("the request has expired")
	// ErrBusy: too much is asked of the solvers at the moment.
	ErrBusy = errors.New("the solvers are busy")
	// ErrNothingFits: the solver knows no answer that fits what the players saw.
	ErrNothingFits = errors.New("no known answer fits")
)

// OtherMatchError means that the match that a [matches.Target] names is no longer the latest one in
// its slot: another one has been started, or the slot is empty, as a daily puzzle's is after
// midnight.
type OtherMatchError struct{ Match Match } // the latest one; zero if there is none

func (e *OtherMatchError) Error() string { return "the match is not the latest one of its slot" }

// NotBegunError means that a race has not begun.
type NotBegunError struct{ Race Race }

func (e *NotBegunError) Error() string { return "the race has not begun" }

// SecretError means that a finished match is of a daily puzzle that the player who asks
// for it can still play, or of a race that is not over.
type SecretError struct {
	Kind    Kind
	Playing bool // the player has begun it, and not finished it
	Race    bool // it is of a race
}

func (e *SecretError) Error() string { return "the answer is still secret" }

// What a [Store] reports about itself.
var (
	// ErrConflict: the commit does not follow what is stored; load and try again.
	ErrConflict = errors.New("another change came first")
	// ErrNotSaved: the disk does not take changes at the moment, so nothing was stored.
	ErrNotSaved = errors.New("not saved")
	// ErrDamaged: a stored record cannot be read.
	ErrDamaged = errors.New("the stored data is damaged")
	// ErrUnreadable: the slot's match cannot be read. Another one can be started in its
	// place. It is an ErrDamaged.
	ErrUnreadable = fmt.Errorf("the match cannot be read: %w", ErrDamaged)
	// ErrNewer: the data was written by a later release.
	ErrNewer = errors.New("the stored data is from a newer release")
)

// AmbiguousError says in which modes the player has a match that is being played here. It wraps
// [ErrAmbiguous].
type AmbiguousError struct{ Modes []Mode }

func (e *AmbiguousError) Error() string { return fmt.Sprintf("%v: %v", ErrAmbiguous, e.Modes) }

// Unwrap returns [ErrAmbiguous].
func (e *AmbiguousError) Unwrap() error { return ErrAmbiguous }

// Translate returns an error that is another one too, if it is the first: a solver's, in the terms of matches.
func Translate(err, first, too error) error {
	if errors.Is(err, first) {
		return fmt.Errorf("%w: %w", too, err)
	}
	return err
}
