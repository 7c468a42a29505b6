package game

import "context"

// BoardMessage is the message that shows the latest match of a channel's slot, for fronts that keep one message for each match.
type BoardMessage struct {
	Match   MatchID
	Message string // as the front knows it
	ByBot   bool   `json:",omitzero"` // whether the front could change it by itself, apart from answers
	Since   string `json:",omitzero"` // when it became the board: of two, the later one counts, in the front's order
}

// BoardStore keeps board messages, so that a front finds them again after a restart. It is safe for concurrent use.
type BoardStore interface {
	// BoardMessage returns the message that was saved last for a slot, and whether there is one. The slot may have a later match
	// by now.
	BoardMessage(ctx context.Context, s Slot) (BoardMessage, bool, error)

	// SaveBoardMessage keeps the message of a slot. It does not wait for the disk: if the record is lost, an older message of the
	// match is known, or none.
	SaveBoardMessage(ctx context.Context, s Slot, m BoardMessage) error
}
