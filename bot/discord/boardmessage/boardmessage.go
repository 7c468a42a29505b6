package boardmessage

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
)

// boardMessage is the message that shows a match. Only the goroutine that has the board's turn works on it. So the states of
// a match are shown in their order, and one call shows the latest state that has come in the meantime.
type boardMessage struct {
	keeper  *Keeper
	match   game.MatchID
	slot    game.Slot
	server  string
	channel *channel
	shown   atomic.Uint64 // the version that the message shows; 0 if unknown
	used    time.Time     // when last; protected by the keeper's mu
	users   atomic.Int32  // goroutines that use it

	mu     sync.Mutex // protects newest
	newest *state     // the latest state that was observed

	turn chan struct{} // has a value while a goroutine has the turn
	left chan struct{} // has a value if a turn has ended since work last looked

	// The turn protects the fields below.
	working bool // whether work is running
	loaded  bool // whether the store was asked where the message is
	at      knownMessage
	old     []knownMessage // replaced messages, which are or will be deleted where that is possible
	next    *state         // the state to show, nil for none
	// announced has the versions whose event was announced: an interaction may be delivered twice.
	announced map[uint64]bool
	called    time.Time    // when the latest call for the board ended
	edited    time.Time    // when the latest edit that answered no component ended
	recheckAt time.Time    // when to look for changes by other processes; zero for never
	gone      knownMessage // the board that others have deleted, until there is a new one; zero otherwise
}

// take waits for the turn, but not longer than atMost, and reports whether it got the turn.
func (b *boardMessage) take(atMost time.Duration) bool {
	select {
	case b.turn <- struct{}{}:
		return true
	default:
	}
	select {
	case b.turn <- struct{}{}:
		return true
	case <-time.After(atMost):
		return false
	}
}

// leave ends a turn, and starts work if a call is to come.
func (b *boardMessage) leave() {
	if _, own := b.due(); own != nil && !b.working {
		b.working = true
		b.run(b.work)
	}
	select {
	case b.left <- struct{}{}:
	default:
	}
	<-b.turn
}

// async calls a function when it has the turn, and returns at once.
func (b *boardMessage) async(do func()) {
	b.run(func() {
		b.turn <- struct{}{}
		defer b.leave()
		do()
	})
}

// run calls a function in a goroutine that uses the board.
func (b *boardMessage) run(f func()) {
	b.users.Add(1)
	b.keeper.jobs.run(func() {
		defer b.users.Add(-1)
		f()
	})
}

// work makes the calls that are due, until none is left.
func (b *boardMessage) work() {
	for wait, more := b.step(); more; wait, more = b.step() {
		if wait > 0 {
			b.keeper.jobs.pause(wait, b.left)
		}
	}
}

// step makes one due call, or returns how long to wait for it.
func (b *boardMessage) step() (wait time.Duration, more bool) {
	b.turn <- struct{}{}
	defer func() { <-b.turn }()
	defer bot.LogPanic(b.keeper.Deliverer.Log, "")
	wait, own := b.due()
	b.working, more = own != nil, own != nil
	if b.working && wait <= 0 {
		own()
	}
	return wait, more
}

// observe records a state that was seen.
func (b *boardMessage) observe(st *state) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.newest == nil || b.newest.version <= st.version {
		b.newest = st
	}
}

// latest returns the latest observed state.
func (b *boardMessage) latest() *state {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.newest
}

// showLater shows a state by an edit as soon as possible.
func (b *boardMessage) showLater(st *state) {
	stored := b.stored()
	if b.adopt(stored, ""); !b.loaded {
		b.at.byBot = stored.ByBot
	}
	b.loaded = true
	b.promise(st)
	b.announce(st, b.at.byBot)
	b.announceEnd(st)
}

// announceEnd announces the end of the match in the channel, if others have deleted the board.
func (b *boardMessage) announceEnd(st *state) {
	end, gone := st.reply.Board.End, b.gone
	switch {
	case end.Text == nil || gone.ID == "":
		return
	case gone.byBot:
		b.channel.tell(end)
	case gone.HasToken():
		b.run(func() {
			ctx, cancel := context.WithTimeout(context.Background(), b.keeper.Deliverer.Timeout)
			defer cancel()
			if _, err := b.keeper.Deliverer.Calls.FollowUp(ctx, gone.App, gone.Token, interaction.NewMessage(end)); err != nil {
				b.keeper.Deliverer.Log.Warn("could not announce the end of a match in a channel", "match", b.match, "error", err)
			}
		})
	}
	b.next = nil
}

// promise makes a state the next to show, unless a later one is shown or will be.
func (b *boardMessage) promise(st *state) {
	if b.shown.Load() < st.version && (b.next == nil || b.next.version < st.version) {
		b.next = st
	}
}

// load finds the message of the match. The first call asks the store; later ones ask again if other processes use the store.
// One case needs no store: the known board was pressed, and the bot can delete boards. A replaced board would be gone.
func (b *boardMessage) load(a *showing) {
	b.at.byBot = a.BotMay().Edit
	if !b.loaded || b.keeper.Shared && !(b.at.byBot && a.FromMessage() && a.Message.ID == b.at.ID) {
		b.adopt(b.stored(), a.Message.ID)
	}
	b.loaded = true
	if a.quick() && b.at.ID == "" && b.at.HasToken() && calls.IsLater(a.Message.ID, b.at.since) { // only the press tells the board's id
		b.at.ID = a.Message.ID
		b.save()
	}
}

// stored returns the message of the match in the store, or zero.
func (b *boardMessage) stored() game.BoardMessage {
	if b.keeper.Store == nil {
		return game.BoardMessage{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.keeper.Patience)
	defer cancel()
	at, ok, err := b.keeper.Store.BoardMessage(ctx, b.slot)
	switch {
	case err != nil:
		b.keeper.Deliverer.Log.Warn("could not look up a match's message", "match", b.match, "error", err)
	case ok && at.Match == b.match && calls.IsSnowflake(at.Message):
		return at
	}
	return game.BoardMessage{}
}

// adopt takes the message in the store, at, for the board if another process has posted it later than the known one. The
// other process may have left the known one there, before the recheck or where the bot may not delete messages. Then adopt
// deletes it, unless it is the message that was pressed.
func (b *boardMessage) adopt(at game.BoardMessage, pressed string) (replaced bool) {
	known := b.at
	if at.Message == b.gone.ID || at.Message == known.ID || !calls.IsLater(at.Since, known.since) || known.ID == "" && known.HasToken() {
		return false
	}
	b.setMessage(at.Message, at.Since)
	if known.ID != pressed && (!b.recheckAt.IsZero() || !known.byBot) {
		b.remove(known)
	}
	return true
}

// setMessage makes a message the board, as the answer to the interaction since; "" means no board. Nothing else is known of it.
func (b *boardMessage) setMessage(message, since string) {
	b.at = knownMessage{Posted: interaction.Posted{ID: message}, byBot: b.at.byBot, since: since}
	b.gone = knownMessage{}
	b.shown.Store(0)
}

// save stores the board's message. It does not wait for the disk.
func (b *boardMessage) save() {
	if b.keeper.Store == nil || b.at.ID == "" || b.latest().reply.Board.Past { // the store has only the present match's message
		return
	}
	if err := b.keeper.Store.SaveBoardMessage(context.Background(), b.slot, game.BoardMessage{Match: b.match, Message: b.at.ID, ByBot: b.at.byBot, Since: b.at.since}); err != nil {
		b.keeper.Deliverer.Log.Warn("could not store a match's message", "match", b.match, "error", err)
	}
}

// isBoard reports whether the message of a component is the board. Another message of the match becomes the board if it is
// sure to stay. It is not sure to stay if the bot can delete it: another process may be doing that.
func (b *boardMessage) isBoard(a *showing) bool {
	message := a.Message.ID
	if b.at.ID == message {
		return true
	}
	if old, _ := b.isOld(message); old || !calls.IsLater(a.ID, b.at.since) || b.keeper.Shared && b.at.byBot && b.at.ID != "" {
		return false
	}
	b.setMessage(message, a.ID)
	return true
}

// moved saves the board's message if it differs from known, and deletes known. If other processes use the store, known stays:
// one of them may be deleting the new message.
func (b *boardMessage) moved(known knownMessage) {
	if b.at.ID == known.ID {
		return
	}
	b.save()
	if !b.keeper.Shared {
		b.remove(known)
	}
}

// moveTo makes posted the board, and deletes the old board. posted answers the interaction since, and shows st with the
// picture p; nil for none. If posted is nil, the present board will show st. inTurn tells whether the message was posted in
// the board's turn.
func (b *boardMessage) moveTo(posted *interaction.Posted, since string, p *interaction.Picture, st *state, inTurn bool) {
	if posted == nil {
		b.promise(st)
		return
	}
	at := knownMessage{Posted: *posted, byBot: b.at.byBot, since: since}
	at.shows(interaction.Message{Picture: p})
	b.recheckAt = time.Time{} // other processes count on a recheck after this message
	b.recheckSoon()
	before := b.shown.Load()
	if !calls.IsLater(since, b.at.since) { // the board answers a later interaction, or the same one
		if before > 0 { // with 0, the board may show this state or a later one already
			b.promise(st)
		}
		if since != b.at.since {
			b.remove(at)
		}
		return
	}
	old := b.at
	b.at, b.gone = at, knownMessage{}
	b.shown.Store(st.version)
	if b.next != nil && b.next.version <= st.version {
		b.next = nil
	}
	if newest := b.latest(); before > st.version || !inTurn {
		b.promise(newest) // the old message may have shown a later state
	}
	b.save()
	b.remove(old)
	if at.ID == "" && at.Exchange != nil {
		b.identify(at)
	}
}

// editNow shows the latest state by an edit of the board. It reports false if that fails or has to wait.
func (b *boardMessage) editNow() bool {
	if b.at.ID == "" || !b.at.editable() || b.editWait() > 0 {
		return false
	}
	st := b.latest()
	err := b.edit(st)
	if err != nil && b.next == st {
		b.next = nil // the caller posts it
	}
	return err == nil
}

// edit shows a state by an edit of the board.
func (b *boardMessage) edit(st *state) error {
	m := b.keeper.message(st).AsEdit().Keeping(b.at.file)
	err := b.keeper.editMessage(b.channel.id, &b.at, m)
	b.edited = time.Now()
	b.recheckSoon()
	switch {
	case err == nil:
		b.at.shows(m)
		b.shown.Store(max(b.shown.Load(), st.version))
	case calls.IsLimited(err):
		b.channel.block()
		b.promise(st)
	case errors.Is(err, errNoWay):
		switch known := b.at; {
		case !calls.IsStatus(err, http.StatusNotFound):
			b.at.Token, b.at.byBot = "", false
		case b.adopt(b.stored(), known.ID): // another process has posted the board again, and deleted this message
		default:
			b.at, b.gone = knownMessage{}, known
		}
		b.promise(st) // kept for the next component or command
	}
	return err
}

// due returns the next call that the board makes by itself, and how long to wait before it. own is nil if there is none.
func (b *boardMessage) due() (wait time.Duration, own func()) {
	if b.next != nil && b.next.version <= b.shown.Load() { // a later state is shown
		b.next = nil
	}
	if b.next != nil && b.at.editable() {
		wait, own = b.editWait(), b.showNext // only edits wait
		if b.at.HasToken() {
			wait = max(wait, tokenGap-time.Since(b.edited))
		}
	}
	if !b.recheckAt.IsZero() {
		until := time.Until(b.recheckAt)
		if b.keeper.jobs.isEnding() {
			until = 0
		}
		if own == nil || until < wait {
			wait, own = until, b.recheck
		}
	}
	return wait, own
}

// tokenGap is the least time between two edits by a token: Discord takes five in two seconds, and sixteen players of a race may
// guess at once.
const tokenGap = 2 * time.Second / 5

// showNext shows the next state.
func (b *boardMessage) showNext() {
	st := b.next
	b.next = nil
	if err := b.edit(st); err != nil {
		b.keeper.Deliverer.Log.Warn("could not edit a board", "id", st.id, "error", err)
		b.announceEnd(st)
	}
}

// editWait returns how long to wait before an edit that answers no component of the board.
func (b *boardMessage) editWait() time.Duration {
	wait := b.channel.wait()
	if !b.at.HasToken() {
		wait = max(wait, b.keeper.Deliverer.Calls.Wait(http.MethodPatch, b.channel.id))
	}
	return wait
}

// announce announces the move that a button or a deadline has made if the board is not the channel's last message. It returns at
// once.
func (b *boardMessage) announce(st *state, mayPost bool) {
	about := st.reply.Board
	if !about.Acted || !mayPost || b.at.ID == "" || b.announced[st.version] || !b.channel.isBelow(b.at.ID) {
		return
	}
	b.announced[st.version] = true
	b.channel.tell(about.Event)
}

// link returns the address of the board, or of the channel if the board's id is unknown.
func (b *boardMessage) link() string {
	server := b.server
	if server == "" {
		server = "@me"
	}
	return strings.TrimSuffix("https://discord.com/channels/"+server+"/"+b.channel.id+"/"+b.at.ID, "/")
}
