package boardmessage

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
)

// Deliver sends the answer that shows a reply: as the first response, or after deferred if that is not nil. A reply that
// shows a match goes to its board.
func (k *Keeper) Deliver(i interaction.Interaction, r interaction.Result, deferred *interaction.Deferral) error {
	if !k.Shows(i, r.Reply) {
		_, err := k.Deliverer.Deliver(i, r, deferred)
		return err
	}
	b := k.board(r.Reply.Board, i.GuildID, i.ChannelID)
	defer b.users.Add(-1)
	a := &showing{Interaction: i, state: newState(i.ID, r), deferred: deferred}
	b.observe(a.state)
	b.channel.observe(i.Channel.LastMessageID)
	wait := k.Patience
	switch {
	case deferred != nil: // the deferred response gives the answer time
		wait = math.MaxInt64
	case a.quick():
		wait = 0
	}
	if !b.take(wait) {
		return b.outOfTurn(a)
	}
	defer b.leave()
	return b.answer(a)
}

// showing is an answer that shows a match.
type showing struct {
	interaction.Interaction
	*state
	deferred *interaction.Deferral // nil for none
}

// inPlace reports whether the answer replaces what the message of its component shows. It reports false if that message's id
// cannot be read: the message must not be taken for a board whose id is unknown.
func (a *showing) inPlace() bool {
	return a.FromMessage() && a.Message.ID != "" && a.reply.InPlace
}

// private reports whether the message of the component is for its player alone.
func (a *showing) private() bool { return a.Message.Flags&interaction.FlagEphemeral != 0 }

// quick reports whether the answer need not wait for another call for the board. That call, or the next one, then shows the
// answer's state.
func (a *showing) quick() bool { return a.inPlace() && !a.private() }

// state is a version of a match, as a reply shows it.
type state struct {
	version uint64
	id      string // of the interaction or, without one, of the match; for the log
	reply   bot.Reply
	drawn   atomic.Pointer[interaction.Picture] // the reply's picture, until a message shows it; nil for none
}

func newState(id string, r interaction.Result) *state {
	st := &state{version: r.Reply.Board.Version, id: id, reply: r.Reply}
	st.drawn.Store(r.Picture)
	return st
}

// draw returns a state as a new message shows it, with its picture. If the picture is still to be drawn, that may take a
// while.
func (k *Keeper) draw(st *state) interaction.Result {
	drawn := st.drawn.Swap(nil)
	if drawn == nil && st.reply.Picture() != nil {
		drawn = k.Deliverer.Draw(context.Background(), st.id, st.reply, time.Now().Add(k.Deliverer.Drawing))
	}
	reply := st.reply
	reply.InPlace = false
	return interaction.Result{Reply: reply, Picture: drawn}
}

// message returns a state as a message, with its picture.
func (k *Keeper) message(st *state) interaction.Message {
	return k.Deliverer.Render(st.id, k.draw(st))
}

// answer answers an interaction in the board's turn.
func (b *boardMessage) answer(a *showing) (err error) {
	b.load(a)
	known := b.at
	switch {
	case !a.inPlace(), b.fromDeleted(a):
		return b.post(a)
	case a.private():
		return b.fromNotice(a)
	case b.isBoard(a):
		err = b.press(a)
	default:
		err = b.fromOld(a)
	}
	if a.deferred == nil && calls.IsGone(err) { // the message was deleted while a form was open
		if b.at = known; known.ID == a.Message.ID {
			b.setMessage("", "")
		}
		return b.post(a)
	}
	b.moved(known)
	b.announce(a.state, a.BotMay().Post)
	return err
}

// fromDeleted reports whether a form was opened from a message that is known to be deleted. An HTTP response would get no
// error.
func (b *boardMessage) fromDeleted(a *showing) bool {
	message := a.Message.ID
	old, stays := b.isOld(message)
	return !a.TakesModal() && !a.private() && b.at.ID != message && (old || a.Exchange != nil && b.at.ID != "" && !stays)
}

// outOfTurn answers during another call for the board, and does the rest when it has the turn.
func (b *boardMessage) outOfTurn(a *showing) error {
	if a.quick() {
		if _, err := b.keeper.Deliverer.Send(a.Interaction, interaction.Acknowledge, nil); !calls.IsGone(err) {
			b.async(func() { b.acknowledged(a, err) })
			return err
		}
	}
	r := b.keeper.draw(a.state)
	at, err := b.keeper.Deliverer.Deliver(a.Interaction, r, a.deferred)
	b.async(func() {
		b.at.byBot = a.BotMay().Edit
		b.moveTo(at, a.ID, r.Picture, a.state, false)
	})
	return err
}

// press answers a component of the board itself: by an update, or by nothing visible if the state is shown or will be soon.
func (b *boardMessage) press(a *showing) error {
	b.at.observe(a.File())
	if a.deferred != nil {
		return b.late(a)
	}
	if b.shown.Load() >= a.version || b.next != nil || b.channel.wait() > 0 {
		b.promise(a.state)
		return b.acknowledge(a)
	}
	m := b.keeper.message(a.state).AsEdit().Keeping(b.at.file)
	_, err := b.keeper.Deliverer.Send(a.Interaction, interaction.AsUpdate, m)
	b.recheckSoon()
	switch {
	case err == nil:
		b.shown.Store(a.version)
		b.at.shows(m)
		b.at.trust(a.Interaction)
	case calls.IsLimited(err): // then the interaction is not answered yet
		b.channel.block()
		b.promise(a.state)
		return b.acknowledge(a)
	default:
		b.promise(a.state)
	}
	return err
}

// acknowledge answers a component of the board by nothing visible.
func (b *boardMessage) acknowledge(a *showing) error {
	_, err := b.keeper.Deliverer.Send(a.Interaction, interaction.Acknowledge, nil)
	if err == nil {
		b.at.trust(a.Interaction) // the interaction's token can show what could not be shown so far
	}
	return err
}

// acknowledged is called with the result of an acknowledgement that was sent during another call for the board.
func (b *boardMessage) acknowledged(a *showing, err error) {
	b.load(a)
	b.announce(a.state, a.BotMay().Post)
	if known := b.at; b.isBoard(a) {
		b.moved(known)
		b.at.observe(a.File())
		if err == nil {
			b.at.trust(a.Interaction)
		}
	}
	b.promise(a.state)
}

// late answers a component of the board after a deferred response, which has announced a private message. late edits the
// board by its token or by the bot, and deletes the private message. A board that cannot be edited is posted again.
func (b *boardMessage) late(a *showing) error {
	if b.at.editable() && b.editWait() > 0 {
		b.promise(a.state)
	} else if b.shown.Load() < a.version && !b.editNow() {
		return b.post(a)
	}
	b.keeper.Deliverer.DeleteDeferred(a.Interaction, *a.deferred)
	return a.deferred.Err
}

// fromOld answers a component of a replaced message: it edits the board and deletes that message.
func (b *boardMessage) fromOld(a *showing) error {
	if a.deferred != nil {
		return b.late(a)
	}
	b.promise(a.state)
	_, err := b.keeper.Deliverer.Send(a.Interaction, interaction.Acknowledge, nil)
	if err == nil {
		message := knownMessage{Posted: interaction.Posted{ID: a.Message.ID}, byBot: b.at.byBot}
		message.trust(a.Interaction)
		b.remove(message)
	}
	return err
}

// fromNotice answers a component of a private message: it edits the board, and the private message becomes a link to the
// board. A board that cannot be edited is posted again.
func (b *boardMessage) fromNotice(a *showing) error {
	if !b.editNow() {
		return b.post(a)
	}
	b.announce(a.state, a.BotMay().Post)
	said := "The game is here: "
	if a.reply.Board.Acted {
		said = "Done: "
	}
	m := interaction.NewNotice(said + b.link()).AsEdit()
	by := interaction.AsUpdate
	if a.deferred != nil {
		by = interaction.AsEdit
	}
	_, err := b.keeper.Deliverer.Send(a.Interaction, by, m)
	return err
}

// post answers with a new message, which becomes the board. If that fails, the present board shows the state.
func (b *boardMessage) post(a *showing) error {
	st := b.latest()
	r := b.keeper.draw(st)
	at, err := b.keeper.Deliverer.Deliver(a.Interaction, r, a.deferred)
	b.moveTo(at, a.ID, r.Picture, st, true)
	b.recheckSoon()
	return err
}
