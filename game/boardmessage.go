package game

import "context"

// BoardMessage is the message that shows the latest match of a slot, in a front that keeps one message for each match.
type BoardMessage struct {
	Match   MatchID
	Message string // as the front knows it
	ByBot   bool   `json:",omitzero"` // the front could edit the message by itself, not only as an answer
	Since   string `json:",omitzero"` // when the message became the board, in an order of the front: the latest one counts
}

// BoardStore keeps board messages, so that a front finds them again after a restart. It is safe for concurrent use.
type BoardStore interface {
	// BoardMessage returns the message that was saved last for a slot, and whether there is one. The slot may have a later match
	// by now.
	BoardMessage(ctx context.Context, s Slot) (BoardMessage, bool, error)

	// SaveBoardMessage keeps the message of a slot, without waiting for the disk. After a crash, the store may have an older
	// message or none.
	SaveBoardMessage(ctx context.Context, s Slot, m BoardMessage) error
}
