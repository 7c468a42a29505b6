package game

import "errors"

// Why a request changes nothing. The rules' own errors (a repeated word, hard
// mode) come from package wordle.
var (
	// ErrNoMatch: nothing was ever played at the table.
	ErrNoMatch = errors.New("no match at this table")
	// ErrEnded: the table's match is over.
	ErrEnded = errors.New("the match has ended")
	// ErrWhich: the player plays more than one match here, and none was named.
	ErrWhich = errors.New("more than one match")
	// ErrPlayed: the player has played the puzzle of the day.
	ErrPlayed = errors.New("the daily puzzle was played")
	// ErrRunning: a match is being played, so none can be started.
	ErrRunning = errors.New("a match is already being played")
	// ErrNotAllowed: only who started the match, or may manage the channel, can.
	ErrNotAllowed = errors.New("not allowed")
	// ErrPlaying: the match goes on, so nobody may look at it as a finished one.
	ErrPlaying = errors.New("the match is still being played")
	// ErrNoGame: no finished match has that number, or is in the history any more.
	ErrNoGame = errors.New("no such finished match")
	// ErrUnknownWord: the guess is a word of five letters, but not in the list.
	ErrUnknownWord = errors.New("not in the list of guesses")
)

// What a [Store] says of itself.
var (
	// ErrConflict: the commit does not follow what is stored; load and try again.
	ErrConflict = errors.New("somebody else was first")
	// ErrDamaged: a stored record cannot be read.
	ErrDamaged = errors.New("the stored data is damaged")
	// ErrNewer: the data was written by a later release.
	ErrNewer = errors.New("the stored data is from a newer release")
)
