package boardmessage

import (
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
)

// answer answers an interaction in its turn.
func (b *boardMessage) answer(a *showing) (err error) {
	b.load(a)
	known := b.at
	switch {
	case !a.press(), b.fromDeleted(a):
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
	b.announce(a)
	return err
}

// fromDeleted reports whether a form was opened from a message that is known to be deleted. An HTTP response gets no error for
// that.
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
	at, err := b.keeper.postNew(a, r)
	b.async(func() { b.moveTo(at, a.ID, r.Picture, a.state, false) })
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
		b.at.trust(a.Interaction) // what could not be shown so far can be shown by its token
	}
	return err
}

// acknowledged is called with the result of an acknowledgement that was sent during another call for the board.
func (b *boardMessage) acknowledged(a *showing, err error) {
	b.load(a)
	b.announce(a)
	if known := b.at; b.isBoard(a) {
		b.moved(known)
		b.at.observe(a.File())
		if err == nil {
			b.at.trust(a.Interaction)
		}
	}
	b.promise(a.state)
}

// late answers a component of the board after a deferred response, which has announced a private message. It edits the board by
// other means and deletes the private message. A board that cannot be edited is posted again.
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

// fromNotice answers a component of a private message: it edits the board and links to it in the private message. A board that
// cannot be edited is posted again.
func (b *boardMessage) fromNotice(a *showing) error {
	if !b.editNow() {
		return b.post(a)
	}
	b.announce(a)
	m := interaction.NewMessage().AsEdit()
	m.Content = "The game is here: " + b.link()
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
	at, err := b.keeper.postNew(a, r)
	b.moveTo(at, a.ID, r.Picture, st, true)
	b.recheckSoon()
	return err
}

// postNew answers with a new message. It returns nil if that cannot be shown to everyone; without an error the player has got it.
func (k *Keeper) postNew(a *showing, r interaction.Result) (*interaction.Posted, error) {
	r.Reply.InPlace = false
	return k.Deliverer.Deliver(a.Interaction, r, a.deferred)
}
