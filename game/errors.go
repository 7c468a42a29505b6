package game

import (
	"errors"
	"fmt"
)

// Errors of requests that change nothing. The rules' own errors (a repeated word, hard mode) come from the packages of the rules.
var (
	ErrNoMatch = errors.New("no match in this slot")
	// ErrDeleted: the player has played the puzzle and then deleted their data, and must not play it again. It wraps ErrNoMatch.
	ErrDeleted        = fmt.Errorf("played, and deleted since: %w", ErrNoMatch)
	ErrEnded          = errors.New("the match has ended")
	ErrAlreadyPlayed  = errors.New("the player has played the puzzle")
	ErrAlreadyPlaying = errors.New("a match is being played, so none can be started")
	ErrNoDaily        = errors.New("it is before the first daily puzzle")
	ErrNotPast        = errors.New("not a past daily puzzle")
	// ErrNotAllowed: only the match's starter may do that, or a player who may manage the channel.
	ErrNotAllowed = errors.New("not allowed")
	// ErrUnsure: stopping the match costs something, and the player has not confirmed it.
	ErrUnsure   = errors.New("the player is not sure")
	ErrAllKnown = errors.New("nothing is left to give away")
	ErrHint     = errors.New("the kind of game has no such hint")
	ErrKind     = errors.New("no such kind of game, or another than the match's")
	ErrMode     = errors.New("the kind of game has no such mode")
	// ErrRaceOver: the race is over, or it is no longer kept.
	ErrRaceOver = errors.New("the race is over")
	ErrFull     = errors.New("no more players can join")
	// ErrNotTurn: it is another player's turn.
	ErrNotTurn = errors.New("not the player's turn")
	// ErrGiver: the player has chosen the puzzle of the challenge, and knows its answer.
	ErrGiver = errors.New("the giver of the challenge")
	// ErrExpired: the request was not carried out before its [Origin.Expires].
	ErrExpired = errors.New("the request has expired")
	ErrBusy    = errors.New("the solvers are busy")
	// ErrNothingFits: the solver knows no answer that fits the players' feedback.
	ErrNothingFits = errors.New("no known answer fits")
)

// Errors of requests to show or share a finished match.
var (
	ErrNotFinished = errors.New("the match is still being played")
	// ErrNotInHistory: no finished match has that number, or its players have deleted it.
	ErrNotInHistory = errors.New("no such finished match")
	// ErrForgotten: the match is too old to be kept. It wraps ErrNotInHistory.
	ErrForgotten    = fmt.Errorf("the match is no longer kept: %w", ErrNotInHistory)
	ErrOtherChannel = errors.New("a match of a channel that the player cannot read")
	// ErrNotAlone: everybody in its channel sees the match anyway.
	ErrNotAlone = errors.New("a match that was not played alone")
	ErrNotOwn   = errors.New("another player's match")
	ErrShared   = errors.New("shared there already")
	// ErrRemoved: a moderator has removed the match's challenge.
	ErrRemoved = errors.New("a removed challenge")
	// ErrStillRacing: others may still be solving the puzzle of the race.
	ErrStillRacing = errors.New("the race is not over")
)

// Errors of the stores, [matches.Store] and [finished.Store].
var (
	// ErrConflict: the commit does not follow what is stored; load and try again.
	ErrConflict = errors.New("another change came first")
	// ErrNotSaved: the disk takes no changes at the moment, so nothing was stored.
	ErrNotSaved = errors.New("not saved")
	ErrDamaged  = errors.New("the stored data is damaged")
	// ErrUnreadable: a match cannot be read. Another one can be started in its slot. It wraps ErrDamaged.
	ErrUnreadable = fmt.Errorf("the match cannot be read: %w", ErrDamaged)
	ErrNewer      = errors.New("the stored data is from a newer release")
)

// OtherMatchError means that a [matches.Target] names a match that is not the latest of its slot. Another match was started, or
// the slot is a new and empty one, as that of the daily puzzle is after midnight.
type OtherMatchError struct{ Match Match } // the latest one; zero if there is none

func (e *OtherMatchError) Error() string { return "the match is not the latest one of its slot" }

// NotBegunError means that a guess or hint came before its race began.
type NotBegunError struct{ Race Race }

func (e *NotBegunError) Error() string { return "the race has not begun" }

// SecretError means that the answer of a finished match must stay secret from the player: they can still play its daily puzzle,
// or its race is not over.
type SecretError struct {
	Kind    Kind
	Playing bool // the player has begun the puzzle, and not finished it
	Race    bool
}

func (e *SecretError) Error() string { return "the answer is still secret" }

// AmbiguousError means that the player named no mode, and is playing here in several: Modes.
type AmbiguousError struct{ Modes []Mode }

func (e *AmbiguousError) Error() string { return fmt.Sprintf("more than one match: %v", e.Modes) }

// Translate returns err wrapped with too if err is first, else err as it is. It turns a solver's error into one of this package.
func Translate(err, first, too error) error {
	if errors.Is(err, first) {
		return fmt.Errorf("%w: %w", too, err)
	}
	return err
}
