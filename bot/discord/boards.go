package discord

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/game"
)

// boardKeeper keeps one message for each match that is played together. An answer that shows
// the match edits that message, or takes its place at the bottom of the channel:
//
//   - A component of the board is answered by an update of its message.
//   - A typed command is answered by a new message, which is the board from then on. The old
//     one becomes a line that points to it.
//   - A component of a private message edits the board, wherever that is.
//
// A message is edited by the token of the latest interaction that was answered by it, for 15
// minutes, or else by the bot in the channel, if it may. The states of a match are shown in
// their order: one call at a time is made for a board, and the next one shows only the latest
// of the states that have come meanwhile. A boardKeeper is safe for concurrent use.
type boardKeeper struct {
	calls  deliverer
	draw   func(id string, r bot.Reply) *picture // nil if there is none in time
	render func(result) (answer, error)
	store  game.BoardStore // nil for none
	shared bool            // other processes use the store too
	log    *slog.Logger
	// eventGap is the least time from one message about events in a channel to the next.
	eventGap time.Duration
	// patience is how long an answer waits for another call for its board, and for the store.
	patience time.Duration
	inFlight func() int // interactions that are worked on

	mu       sync.Mutex // protects the fields below, and those of board and channel
	all      map[game.MatchID]*board
	channels map[string]*channel
	offset   time.Duration // by how much Discord's clock is ahead of ours
	pointers []pointer     // that are to be made
	pointing bool          // whether a goroutine makes them
	nameless []*board      // whose messages' ids are to be found out
	asked    time.Time     // when an id was asked for last
	naming   bool          // whether a goroutine finds them out
	running  int           // goroutines
	ending   bool
	over     chan struct{} // closed when ending
	idle     chan struct{} // closed when ending and nothing runs any more
}

// board is what is known about the message of a match.
type board struct {
	kind     game.Kind
	server   string
	channel  string
	loaded   bool // whether the store was asked where the message is
	at       boardMessage
	shown    uint64        // the version that the message shows; 0 if that is not known
	sending  uint64        // the version that the call under way shows
	newest   *state        // the latest that was seen
	next     *state        // what is to be shown once the call under way has ended, nil for nothing
	busy     chan struct{} // closed when the call under way has ended; nil without one
	flushes  bool          // whether a goroutine shows next
	rechecks bool          // whether a goroutine will find out what other processes did
	// announced are the versions whose events the channel has been told: an interaction may
	// be delivered twice.
	announced map[uint64]bool
	used      time.Time
	// old are messages that are to point to the board once its id is known.
	old []boardMessage
}

// boardMessage is a message, and how it can be edited.
type boardMessage struct {
	id     string // empty if it is not known
	app    string
	token  string    // of an interaction that was answered by the message; empty for none
	target string    // what the message is called with that token
	until  time.Time // when the token ends
	// exchange is that of the interaction whose token it is; nil if it came over the gateway.
	// After an HTTP response the id is not known at first, only that it is later than that of the
	// interaction.
	exchange    *endpoint.Exchange
	interaction string
	byBot       bool // whether the bot may edit it in the channel
	// file is the message's picture. Only components say its id, so it has none after an upload
	// until the next component is used.
	file file
	// again means that the same picture was uploaded twice, so that components may still name
	// the id of the first upload.
	again bool
}

// see notes which file the message had when a component of it was used.
func (at *boardMessage) see(f file) {
	same := f.Name == at.file.Name && f.Description == at.file.Description
	if at.file == (file{}) || same && !at.again { // otherwise the message has another file by now
		at.file = f
	}
}

// sent notes which picture the message has after m was sent as its content.
func (at *boardMessage) sent(m message) {
	switch {
	case m.kept:
	case m.picture == nil:
		at.file, at.again = file{}, false
	default:
		at.again = at.file.shows(m.picture)
		at.file = file{Name: m.picture.name, Description: m.picture.alt}
	}
}

// state is a version of a match, as a reply shows it.
type state struct {
	version uint64
	id      string // of the interaction
	reply   bot.Reply
	drawn   *picture // the reply's, only while the state waits to be shown
}

// tokenLife is how long an interaction's token is used: Discord takes it for 15 minutes.
const tokenLife = 14*time.Minute + 30*time.Second

func newBoardKeeper(f *front, store game.BoardStore, shared bool) *boardKeeper {
	return &boardKeeper{
		calls: f.deliverer, draw: f.drawLate, store: store, shared: shared, log: f.log, eventGap: f.timings.eventGap, patience: f.timings.board,
		inFlight: func() int { return f.queue.Stats().InFlight },
		render:   func(r result) (answer, error) { return render(r, responseOptions{}, &f.names) },
		all:      map[game.MatchID]*board{}, channels: map[string]*channel{}, over: make(chan struct{}), idle: make(chan struct{}),
	}
}

// shows reports whether the reply to an interaction is shown by a board.
func (s *boardKeeper) shows(i interaction, r bot.Reply) bool {
	return r.Board != nil && r.Audience == bot.Everyone && r.Form == nil && !i.context().AskerOnly
}

// isShown reports whether the board of a match is known to show this version or a later one.
func (s *boardKeeper) isShown(about *bot.Board) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.all[about.Match]
	return b != nil && b.shown >= about.Version
}

// deliver sends the answer that shows a match: as the first response if deferred is nil,
// otherwise after that deferred one.
func (s *boardKeeper) deliver(d *tracked, i interaction, r result, deferred *deferral) {
	st := &state{version: r.reply.Board.Version, id: i.ID, reply: r.reply, drawn: r.picture}
	b := s.open(i, r.reply.Board, st, s.find(i, r.reply.Board))
	// If the message's id cannot be read, it must not be taken for a board whose id is not known.
	press := i.fromMessage() && i.Message.ID != "" && r.reply.InPlace
	switch {
	case press && i.Message.Flags&flagEphemeral != 0:
		s.fromNotice(d, i, b, st, deferred)
	case press && s.isBoard(b, i):
		s.press(d, i, b, st, deferred)
	case press:
		s.fromOld(d, i, b, st, deferred)
	default:
		s.post(d, i, b, st, deferred)
	}
}

// open returns what is known about the board of a match, and notes that a state was seen. found
// is the id of the message that the store has, or empty.
func (s *boardKeeper) open(i interaction, about *bot.Board, st *state, found string) *board {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if sent, ok := calls.Made(i.ID); ok {
		s.offset = sent.Sub(i.received)
	}
	b := s.all[about.Match]
	if b == nil {
		s.makeRoom()
		b = &board{kind: about.Kind, server: i.GuildID, channel: i.ChannelID, announced: map[uint64]bool{}}
		s.all[about.Match] = b
	}
	b.used = now
	if b.newest == nil || b.newest.version <= st.version {
		b.newest = st
	}
	c := s.channel(b.channel)
	c.used = now
	if i.Channel.LastMessageID != "" {
		c.last = i.Channel.LastMessageID
	}
	b.at.byBot = i.botMay().Edit
	b.loaded = true
	if b.busy == nil && b.isReplacedBy(found) {
		b.replace(found)
	}
	return b
}

// update shows boards that no interaction asked for, until ctx ends. A match whose message is not
// known, or may not be edited, is shown when somebody next presses one of its buttons.
func (s *boardKeeper) update(ctx context.Context, replies <-chan bot.Reply) {
	for {
		select {
		case r := <-replies:
			if r.Board != nil && r.Audience == bot.Everyone {
				s.show(r)
			}
		case <-ctx.Done():
			return
		}
	}
}

// show edits the board of a match to show this reply, and does not wait for that.
func (s *boardKeeper) show(r bot.Reply) {
	about := r.Board
	found := ""
	if s.store != nil {
		found = s.stored(about, string(about.Location.Channel))
	}
	s.mu.Lock()
	b := s.all[about.Match]
	if b == nil {
		s.makeRoom()
		b = &board{kind: about.Kind, server: string(about.Location.Guild), channel: string(about.Location.Channel), announced: map[uint64]bool{}}
		b.at.byBot = true // if it may not, Discord says so
		s.all[about.Match] = b
	}
	b.used, b.loaded = time.Now(), true
	if b.busy == nil && b.isReplacedBy(found) {
		b.replace(found)
	}
	st := &state{version: about.Version, id: string(about.Match), reply: r}
	if b.newest == nil || b.newest.version < st.version {
		b.newest = st
	}
	if b.promised() < st.version {
		b.next = st
	}
	s.mu.Unlock()
	s.flush(b)
}

// isReplacedBy reports whether the message found in the store, if any, is younger than the known
// one and so replaces it as the board: another process has posted it.
func (b *board) isReplacedBy(found string) bool {
	return found != "" && calls.IsLater(found, b.at.id) && calls.IsLater(found, b.at.interaction)
}

// replace notes that another process has posted the board.
func (b *board) replace(found string) { b.at, b.shown = boardMessage{id: found, byBot: b.at.byBot}, 0 }

// find asks the store which message shows a match, and returns "" if that is not known. If no
// other process uses the store, it asks once for each match; otherwise every time, unless a
// component of the known board was used.
func (s *boardKeeper) find(i interaction, about *bot.Board) string {
	if s.store == nil {
		return ""
	}
	s.mu.Lock()
	known := s.all[about.Match]
	ask := known == nil || !known.loaded || s.shared && !(i.fromMessage() && i.Message.ID == known.at.id)
	s.mu.Unlock()
	if !ask {
		return ""
	}
	return s.stored(about, i.ChannelID)
}

// stored returns the message of a match that the store has, or "" if that is not known.
func (s *boardKeeper) stored(about *bot.Board, channel string) string {
	ctx, cancel := context.WithTimeout(context.Background(), s.patience)
	defer cancel()
	at, ok, err := s.store.BoardMessage(ctx, game.ChannelSlot(about.Kind, game.ChannelID(channel)))
	switch {
	case err != nil:
		s.log.Warn("could not look up a match's message", "match", about.Match, "error", err)
	case ok && at.Match == about.Match && calls.IsSnowflake(at.Message):
		return at.Message
	}
	return ""
}

// save stores where the board is. It is called with mu held, and does not wait for the disk.
func (s *boardKeeper) save(match game.MatchID, b *board) {
	if s.store == nil || b.at.id == "" || b.newest.reply.Board.Past { // the store has one message for each place
		return
	}
	at := game.BoardMessage{Match: match, Message: b.at.id}
	if err := s.store.SaveBoardMessage(context.Background(), game.ChannelSlot(b.kind, game.ChannelID(b.channel)), at); err != nil {
		s.log.Warn("could not store a match's message", "match", match, "error", err)
	}
}

// maxBoards is how many boards are kept in memory. For other matches the store is asked which
// message shows them.
const maxBoards = 4096

// makeRoom forgets a quarter of the boards once there are too many: those unused for longest,
// and the channels unused since then, except where work is under way. It is called with mu held.
func (s *boardKeeper) makeRoom() {
	if len(s.all) < maxBoards {
		return
	}
	var times []time.Time
	for _, b := range s.all {
		times = append(times, b.used)
	}
	slices.SortFunc(times, time.Time.Compare)
	limit := times[len(times)/4]
	for id, b := range s.all {
		if b.busy == nil && b.next == nil && !b.used.After(limit) {
			delete(s.all, id)
		}
	}
	for id, c := range s.channels {
		if !c.announcing && !c.pointing && !c.used.After(limit) {
			delete(s.channels, id)
		}
	}
}

// isBoard reports whether the message of a component is the board. A message that is newer than
// the known one becomes the board: an earlier run of the program ended before it had stored it.
// So does an older message if the known one cannot be edited.
func (s *boardKeeper) isBoard(b *board, i interaction) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.at.id == i.Message.ID {
		return true
	}
	if b.at.id == "" && b.at.interaction != "" && !calls.IsLater(i.Message.ID, b.at.interaction) && s.editable(b) {
		return false
	}
	if b.at.id != "" && !calls.IsLater(i.Message.ID, b.at.id) && s.editable(b) {
		return false
	}
	s.adopt(b, i.Message.ID)
	return true
}

// adopt makes a message the board. It is called with mu held.
func (s *boardKeeper) adopt(b *board, message string) {
	b.at = boardMessage{id: message, byBot: b.at.byBot}
	b.shown, b.sending = 0, 0 // those were of another message
	s.save(b.newest.reply.Board.Match, b)
}

// editable reports whether the board can be edited without an answer to one of its components.
// It is called with mu held.
func (s *boardKeeper) editable(b *board) bool {
	return b.at.hasToken() || b.at.byBot && b.at.id != ""
}

// settle waits until Discord has the message, so that it can be edited by the token.
func (at boardMessage) settle(ctx context.Context) error {
	if at.exchange == nil {
		return nil
	}
	return at.exchange.Settle(ctx)
}

// hasToken reports whether the message can be edited by a token.
func (at boardMessage) hasToken() bool { return at.token != "" && time.Now().Before(at.until) }

// press answers a component of the board itself: by an update of its message, or by nothing
// that players see if the state is shown already or will be soon.
func (s *boardKeeper) press(d *tracked, i interaction, b *board, st *state, deferred *deferral) {
	s.announce(i, b, st)
	s.mu.Lock()
	b.at.see(i.file())
	s.mu.Unlock()
	if deferred != nil {
		s.late(d, i, b, st, deferred)
		return
	}
	s.mu.Lock()
	if b.promised() >= st.version || b.busy != nil || b.next != nil || s.windowOf(b) > 0 {
		if b.promised() < st.version {
			b.next = st
		}
		s.mu.Unlock()
		if s.acknowledge(d, i, b); calls.IsGone(d.failed) {
			s.postAnew(d, i, b, st)
			return
		}
		s.flush(b) // a state that could not be shown so far can be shown by this interaction's token
		return
	}
	counted := s.count(b)
	s.begin(b, st.version)
	at := b.at
	s.mu.Unlock()
	m := s.message(st).asEdit().keeping(at.file)
	err := d.sendMessage(i, "first response", m, func(ctx context.Context, m message) error {
		return d.respond(ctx, i, response{typeUpdate, m})
	})
	if calls.IsLimited(err) { // then the interaction is not answered yet
		d.failed = nil
		s.acknowledge(d, i, b)
	}
	s.end(b, func() {
		counted.done()
		switch {
		case err == nil && b.at.id == i.Message.ID:
			b.shown = st.version
			b.at.sent(m)
			s.trust(b, i)
		case err == nil:
		case b.next == nil:
			b.next = st
		}
		if calls.IsLimited(err) {
			s.channel(b.channel).block()
		}
	})
	if calls.IsGone(err) {
		s.postAnew(d, i, b, st)
		return
	}
	s.flush(b)
}

// postAnew answers a component by a new board, since its message has been deleted while a form
// was open.
func (s *boardKeeper) postAnew(d *tracked, i interaction, b *board, st *state) {
	s.mu.Lock()
	if b.at.id == i.Message.ID {
		b.at, b.shown = boardMessage{byBot: b.at.byBot}, 0
	}
	s.mu.Unlock()
	d.failed = nil
	s.post(d, i, b, st, nil)
}

// late answers a component of the board after a deferred response, which has announced a
// private message: the board is edited by other means, and the private message is deleted. If
// the board cannot be edited, it is posted again.
func (s *boardKeeper) late(d *tracked, i interaction, b *board, st *state, deferred *deferral) {
	s.waitFor(b)
	s.mu.Lock()
	soon := s.editable(b) && (b.busy != nil || s.editWait(b) > 0)
	if soon && b.promised() < st.version {
		b.next = st
	}
	shown := b.promised() >= st.version
	s.mu.Unlock()
	if !shown && !s.editNow(b, st) {
		s.post(d, i, b, st, deferred)
		return
	}
	d.deleteDeferred(i, *deferred)
	s.flush(b)
}

// acknowledge answers a component of the board by nothing that players see.
func (s *boardKeeper) acknowledge(d *tracked, i interaction, b *board) {
	if d.send(i, "acknowledgement", func(ctx context.Context) error {
		return d.respond(ctx, i, response{Type: typeDeferredUpdate})
	}) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trust(b, i)
}

// trust notes that a component of the board was answered, so that the token of that interaction
// can edit the board. It is called with mu held.
func (s *boardKeeper) trust(b *board, i interaction) {
	if b.at.id == i.Message.ID {
		b.at.app, b.at.token, b.at.target, b.at.until = i.AppID, i.Token, calls.Original, i.tokenEnd()
		b.at.exchange = i.exchange
	}
}

// tokenEnd is when the interaction's token is not used any more. It is the zero time without the
// application's id, since the token cannot be used without that.
func (i interaction) tokenEnd() time.Time {
	if i.AppID == "" {
		return time.Time{}
	}
	if i.asked.IsZero() {
		return time.Now().Add(tokenLife)
	}
	return i.asked.Add(tokenLife)
}

// promised is the version that the board shows or will show soon.
func (b *board) promised() uint64 {
	v := max(b.shown, b.sending)
	if b.next != nil {
		v = max(v, b.next.version)
	}
	return v
}

// begin notes that a call is made for the board, to show a version. It is called with mu
// held.
func (s *boardKeeper) begin(b *board, version uint64) {
	b.busy, b.sending = make(chan struct{}), version
}

// end notes that the call has ended, and what came of it.
func (s *boardKeeper) end(b *board, result func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	result()
	close(b.busy)
	b.busy, b.sending = nil, 0
	s.recheck(b)
}

// flush shows the state that is to be shown next as soon as Discord takes the edit, and does not
// wait for that.
func (s *boardKeeper) flush(b *board) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.flushes || b.next == nil {
		return
	}
	b.flushes = true
	s.run(func() { s.flushAll(b) })
}

// flushAll shows next until there is none or no way to show it.
func (s *boardKeeper) flushAll(b *board) {
	for {
		s.mu.Lock()
		if busy := b.busy; busy != nil {
			s.mu.Unlock()
			<-busy
			continue
		}
		if b.next != nil && b.next.version <= b.shown { // it could not be shown before a later one was
			b.next = nil
		}
		if b.next == nil || !s.editable(b) {
			b.flushes = false
			s.mu.Unlock()
			return
		}
		if wait := s.editWait(b); wait > 0 { // without being busy: a new message need not wait for it
			s.mu.Unlock()
			time.Sleep(wait)
			continue
		}
		st := b.next
		b.next = nil
		counted := s.count(b)
		s.begin(b, st.version)
		at := b.at
		s.mu.Unlock()
		m := s.message(st).asEdit().keeping(at.file)
		err := s.edit(b.channel, &at, m)
		if err != nil {
			s.log.Warn("could not edit a board", "id", st.id, "error", err)
		}
		s.end(b, func() {
			counted.done()
			s.edited(b, at, st, m, err)
		})
	}
}

// edited notes what came of an edit of the board. It is called with mu held.
func (s *boardKeeper) edited(b *board, at boardMessage, st *state, m message, err error) {
	if err == nil && b.at.id == at.id {
		b.at.sent(m)
	}
	same := (b.at.id == at.id || at.id == "" && b.at.token == at.token) && b.at.target == at.target
	switch {
	case err == nil && same:
		b.shown = max(b.shown, st.version)
	case calls.IsLimited(err):
		s.channel(b.channel).block()
		if b.next == nil {
			b.next = st
		}
	case errors.Is(err, errNoWay) && same:
		b.at.token, b.at.byBot = "", false
		if calls.IsStatus(err, http.StatusNotFound) { // it has been deleted
			b.at = boardMessage{}
		}
		if b.next == nil { // kept for the next component or command
			b.next = st
		}
	}
}

// errNoWay means that a message cannot be edited: it has been deleted, or the token has
// ended and the bot may not edit it.
var errNoWay = errors.New("the message cannot be edited")

// edit replaces the content of a message: by the token or, if that does not work any more, by
// the bot.
func (s *boardKeeper) edit(channel string, at *boardMessage, m message) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.calls.timeout)
	defer cancel()
	try := func(call func(message) error) error {
		return m.try(call, func(err error) { s.log.Error("could not send a picture", "error", err) })
	}
	if at.hasToken() {
		if err := at.settle(ctx); err != nil {
			return err
		}
		err := try(func(m message) error { return s.calls.editByToken(ctx, at.app, at.token, at.target, m) })
		if !calls.IsNoWay(err) {
			return err
		}
		at.token = ""
	}
	if !at.byBot || at.id == "" {
		return errNoWay
	}
	err := try(func(m message) error { return s.calls.editByBot(ctx, channel, at.id, m) })
	if calls.IsNoWay(err) {
		return errors.Join(errNoWay, err)
	}
	return err
}

// message returns a state as a message. Drawing its picture may take a while.
func (s *boardKeeper) message(st *state) message {
	s.mu.Lock()
	drawn := st.drawn
	st.drawn = nil
	s.mu.Unlock()
	if drawn == nil && st.reply.Picture != nil {
		drawn = s.draw(st.id, st.reply)
	}
	a, err := s.render(result{st.reply, drawn})
	if err != nil {
		s.log.Error("could not show part of a reply", "id", st.id, "error", err)
	}
	return a.message
}

// post answers with a new message, which becomes the board, and lets the old one point to it.
func (s *boardKeeper) post(d *tracked, i interaction, b *board, st *state, deferred *deferral) {
	s.waitFor(b)
	s.mu.Lock()
	if b.newest.version > st.version {
		st = b.newest
	}
	owns := b.busy == nil // otherwise another call is taking very long
	if owns {
		s.begin(b, st.version)
	}
	s.mu.Unlock()
	m := s.message(st)
	at, err := d.post(i, m, deferred)
	at.sent(m)
	var old boardMessage
	done := func() {
		if err != nil {
			return
		}
		at.byBot = b.at.byBot
		old = b.at
		before := b.shown
		if old.id != "" && at.id != "" && calls.IsLater(old.id, at.id) { // another answer is below this one
			old = at
			if before > 0 && before < st.version && (b.next == nil || b.next.version < st.version) {
				b.next = st
			}
			return
		}
		b.at, b.shown = at, st.version
		if b.next != nil && b.next.version <= st.version {
			b.next = nil
		}
		if b.newest.version > st.version && b.next == nil && (!owns || before > st.version) {
			b.next = b.newest // the old message may have shown it already
		}
		s.save(b.newest.reply.Board.Match, b)
	}
	if owns {
		s.end(b, done)
	} else {
		s.mu.Lock()
		done()
		s.mu.Unlock()
	}
	s.point(b, old)
	if err == nil && at.id == "" && at.target == calls.Original && i.exchange != nil {
		s.identify(b)
	}
	s.flush(b)
}

// waitFor waits until no call for the board is under way, but no longer than the keeper's
// patience, so that the interaction can still be answered.
func (s *boardKeeper) waitFor(b *board) {
	late := time.NewTimer(s.patience)
	defer late.Stop()
	for {
		s.mu.Lock()
		busy := b.busy
		s.mu.Unlock()
		if busy == nil {
			return
		}
		select {
		case <-busy:
		case <-late.C:
			return
		}
	}
}

// fromOld answers a component of an older message of the match, which now points to the
// board; the board is edited.
func (s *boardKeeper) fromOld(d *tracked, i interaction, b *board, st *state, deferred *deferral) {
	s.announce(i, b, st)
	s.mu.Lock()
	to := s.pointerTo(b)
	if b.promised() < st.version {
		b.next = st
	}
	s.mu.Unlock()
	if calls.IsGone(s.answer(d, i, to, deferred)) {
		s.postAnew(d, i, b, st)
		return
	}
	s.flush(b)
}

// answer updates the message of a component.
func (s *boardKeeper) answer(d *tracked, i interaction, m message, deferred *deferral) error {
	if deferred != nil {
		d.sendEdit(i, m)
		return nil
	}
	return d.sendMessage(i, "first response", m, func(ctx context.Context, m message) error {
		return d.respond(ctx, i, response{typeUpdate, m})
	})
}

// fromNotice answers a component of a private message: the board is edited, and the private
// message leads to it. If the board cannot be edited, it is posted again.
func (s *boardKeeper) fromNotice(d *tracked, i interaction, b *board, st *state, deferred *deferral) {
	s.waitFor(b)
	if !s.editNow(b, st) {
		s.post(d, i, b, st, deferred)
		return
	}
	s.announce(i, b, st)
	s.mu.Lock()
	notice := textMessage("The game is here: " + s.link(b))
	s.mu.Unlock()
	s.answer(d, i, notice, deferred)
	s.flush(b)
}

// editNow shows a state, or a later one, by an edit of the board. It reports false if that
// fails, or is not possible now.
func (s *boardKeeper) editNow(b *board, st *state) bool {
	s.mu.Lock()
	if b.busy != nil || b.at.id == "" || !s.editable(b) || s.editWait(b) > 0 {
		s.mu.Unlock()
		return false
	}
	if b.newest.version > st.version {
		st = b.newest
	}
	counted := s.count(b)
	s.begin(b, st.version)
	at := b.at
	s.mu.Unlock()
	m := s.message(st).asEdit().keeping(at.file)
	err := s.edit(b.channel, &at, m)
	s.end(b, func() {
		counted.done()
		s.edited(b, at, st, m, err)
		if err != nil && b.next == st {
			b.next = nil // the caller posts it
		}
	})
	return err == nil
}

// run runs a function in a goroutine, which drain waits for. It is called with mu held.
func (s *boardKeeper) run(f func()) {
	s.running++
	go func() {
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.running--
			s.checkIdle()
		}()
		defer logPanic(s.log, "")
		f()
	}()
}

// checkIdle is called with mu held.
func (s *boardKeeper) checkIdle() {
	if s.ending && s.running == 0 {
		select {
		case <-s.idle:
		default:
			close(s.idle)
		}
	}
}

// drain waits until every state has been shown, but not longer than atMost. It reports whether
// all were.
func (s *boardKeeper) drain(atMost time.Duration) bool {
	s.mu.Lock()
	if !s.ending {
		s.ending = true
		close(s.over)
	}
	s.pointers = s.pointers[max(0, len(s.pointers)-lastPointers):]
	s.checkIdle()
	s.mu.Unlock()
	select {
	case <-s.idle:
		return true
	case <-time.After(atMost):
		return false
	}
}
