package discord

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/game"
)

// boardOptions say how boards are shown.
type boardOptions struct {
	deliverer
	draw   func(id string, r bot.Reply) *picture // nil if there is none in time
	render func(result) (answer, error)
	store  game.BoardStore // nil for none
	shared bool            // other processes use the store too
	// eventGap is the least time from one message about events in a channel to the next.
	eventGap time.Duration
	// patience is how long an answer waits for another call for its board, and for the store.
	patience time.Duration
	inFlight func() int // interactions that are worked on
}

// boardKeeper keeps one message for each match that is played together. An answer that shows
// the match edits that message, or takes its place at the bottom of the channel:
//
//   - A component of the board is answered by an update of its message.
//   - A typed command is answered by a new message, which is the board from then on. The old
//     one becomes a line that points to it.
//   - A component of a private message edits the board, wherever that is.
//
// A message is edited by the token of the latest interaction that was answered by it, for 15
// minutes, or else by the bot in the channel, if it may. A boardKeeper is safe for concurrent use.
type boardKeeper struct {
	boardOptions
	jobs     *jobs
	pointers pointers
	ids      messageIDs
	offset   atomic.Int64 // by how much Discord's clock is ahead of ours

	mu       sync.Mutex // protects the maps alone
	all      map[game.MatchID]*board
	channels map[string]*channel
}

func newBoardKeeper(o boardOptions) *boardKeeper {
	return &boardKeeper{boardOptions: o, jobs: newJobs(o.log), all: map[game.MatchID]*board{}, channels: map[string]*channel{}}
}

// shows reports whether the reply to an interaction is shown by a board.
func (s *boardKeeper) shows(i interaction, r bot.Reply) bool {
	return r.Board != nil && r.Audience == bot.Everyone && r.Form == nil && !i.context().AskerOnly
}

// isShown reports whether the board of a match is known to show this version or a later one.
func (s *boardKeeper) isShown(about *bot.Board) bool {
	s.mu.Lock()
	b := s.all[about.Match]
	s.mu.Unlock()
	return b != nil && b.shown.Load() >= about.Version
}

// deliver sends the answer that shows a match: as the first response if deferred is nil,
// otherwise after that deferred one.
func (s *boardKeeper) deliver(i interaction, r result, deferred *deferral) error {
	b := s.board(r.reply.Board, i.GuildID, i.ChannelID)
	a := &showing{interaction: i, state: newState(i.ID, r), deferred: deferred, err: errNotShown}
	b.see(a.state)
	if sent, ok := calls.Made(i.ID); ok {
		s.offset.Store(int64(sent.Sub(i.received)))
	}
	b.channel.isUsed(i.Channel.LastMessageID)
	show := func() { a.err = b.show(a) }
	switch {
	case deferred != nil: // which gives it time
		<-b.put(show).ended
		return a.err
	case a.press() && !a.private():
		if t := b.offer(show); t != nil {
			<-t.ended
			return a.err
		}
		// Another call for the board is under way: the next one shows this state too.
		err := s.acknowledge(i)
		if !calls.IsGone(err) {
			b.put(func() { b.acknowledged(a, err) })
			return err
		}
		a.deleted = true
	}
	t := b.put(show)
	select {
	case <-t.ended:
		return a.err
	case <-time.After(s.patience):
	}
	if !b.withdraw(t) {
		<-t.ended
		return a.err
	}
	// Another call for the board is taking very long.
	m := s.message(a.state)
	at, ok, err := s.post(i, m, deferred)
	if ok {
		b.put(func() { b.becomes(at, m, a.state, false) })
	}
	return err
}

// errNotShown is the error of an answer that ended with a panic.
var errNotShown = errors.New("the answer was not shown")

// acknowledge answers a component of a board by nothing that players see.
func (s *boardKeeper) acknowledge(i interaction) error {
	return s.send(i, "acknowledgement", func(ctx context.Context) error {
		return s.respond(ctx, i, response{Type: typeDeferredUpdate})
	})
}

// update shows boards that no interaction asked for, until ctx ends. A match whose message is not
// known, or may not be edited, is shown when somebody next presses one of its buttons.
func (s *boardKeeper) update(ctx context.Context, replies <-chan bot.Reply) {
	for {
		select {
		case r := <-replies:
			if r.Board == nil || r.Audience != bot.Everyone {
				continue
			}
			at := r.Board.Location
			b := s.board(r.Board, string(at.Guild), string(at.Channel))
			st := newState(string(r.Board.Match), result{reply: r})
			b.see(st)
			b.put(func() { b.showLater(st) })
		case <-ctx.Done():
			return
		}
	}
}

// board returns the board of a match.
func (s *boardKeeper) board(about *bot.Board, server, channel string) *board {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.all[about.Match]
	if b == nil {
		s.makeRoom()
		c := s.channels[channel]
		if c == nil {
			c = newChannel(s, channel)
			s.channels[channel] = c
		}
		b = &board{
			mailbox: mailbox{came: make(chan struct{}, 1), used: time.Now()}, boards: s, match: about.Match,
			kind: about.Kind, server: server, channel: c, announced: map[uint64]bool{},
		}
		s.all[about.Match] = b
	}
	return b
}

// maxBoards is how many boards are kept in memory. For other matches the store is asked which
// message shows them.
const maxBoards = 4096

// makeRoom forgets a quarter of the boards once there are too many: those unused for longest,
// and then the channels without a board, except where something is done. It is called with mu held.
func (s *boardKeeper) makeRoom() {
	if len(s.all) < maxBoards {
		return
	}
	type unused struct {
		match game.MatchID
		since time.Time
	}
	var all []unused
	for match, b := range s.all {
		if since, resting := b.rests(); resting {
			all = append(all, unused{match, since})
		}
	}
	slices.SortFunc(all, func(a, b unused) int { return a.since.Compare(b.since) })
	for _, u := range all[:min(len(all), maxBoards/4)] {
		delete(s.all, u.match)
	}
	kept := map[string]bool{}
	for _, b := range s.all {
		kept[b.channel.id] = true
	}
	for id, c := range s.channels {
		if !kept[id] && c.rests() {
			delete(s.channels, id)
		}
	}
}

// isOld reports whether a message is so old that Discord takes few edits of it.
func (s *boardKeeper) isOld(message string) bool {
	made, ok := calls.Made(message)
	return ok && time.Now().Add(time.Duration(s.offset.Load())).Sub(made) > oldAge
}

// errNoWay means that a message cannot be edited: it has been deleted, or the token has
// ended and the bot may not edit it.
var errNoWay = errors.New("the message cannot be edited")

// edit replaces the content of a message: by the token or, if that does not work any more, by
// the bot.
func (s *boardKeeper) editMessage(channel string, at *boardMessage, m message) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	try := func(call func(message) error) error {
		return m.try(call, func(err error) { s.log.Error("could not send a picture", "error", err) })
	}
	if at.hasToken() {
		if err := at.settle(ctx); err != nil {
			return err
		}
		err := try(func(m message) error { return s.EditByToken(ctx, at.app, at.token, at.target, m) })
		if !calls.IsNoWay(err) {
			return err
		}
		at.token = ""
	}
	if !at.byBot || at.id == "" {
		return errNoWay
	}
	err := try(func(m message) error { return s.EditByBot(ctx, channel, at.id, m) })
	if calls.IsNoWay(err) {
		return errors.Join(errNoWay, err)
	}
	return err
}

// message returns a state as a message. Drawing its picture may take a while.
func (s *boardKeeper) message(st *state) message {
	drawn := st.drawn.Swap(nil)
	if drawn == nil && st.reply.Picture != nil {
		drawn = s.draw(st.id, st.reply)
	}
	a, err := s.render(result{st.reply, drawn})
	if err != nil {
		s.log.Error("could not show part of a reply", "id", st.id, "error", err)
	}
	return a.message
}

// drain waits until every state has been shown, but not longer than atMost. It reports whether
// all were.
func (s *boardKeeper) drain(atMost time.Duration) bool {
	s.pointers.keepLast(lastPointers)
	s.jobs.end()
	return s.jobs.wait(atMost)
}

// showing is an answer that shows a match.
type showing struct {
	interaction
	*state
	deferred *deferral // nil for none
	deleted  bool      // whether the message of the component has been deleted
	err      error     // of the answer
}

// press reports whether the answer is to a component and shows the match in its place. If the
// message's id cannot be read, it must not be taken for a board whose id is not known.
func (a *showing) press() bool {
	return a.fromMessage() && a.Message.ID != "" && a.reply.InPlace && !a.deleted
}

// private reports whether the message of the component is for its player alone.
func (a *showing) private() bool { return a.Message.Flags&flagEphemeral != 0 }

// state is a version of a match, as a reply shows it.
type state struct {
	version uint64
	id      string // of the interaction
	reply   bot.Reply
	drawn   atomic.Pointer[picture] // the reply's, until it is shown; nil for none
}

func newState(id string, r result) *state {
	st := &state{version: r.reply.Board.Version, id: id, reply: r.reply}
	st.drawn.Store(r.picture)
	return st
}

// boardMessage is a message that shows a match, and how it can be edited.
type boardMessage struct {
	posted
	byBot bool // whether the bot may edit it in the channel
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

// editable reports whether the message can be edited without an answer to one of its components.
func (at *boardMessage) editable() bool { return at.hasToken() || at.byBot && at.id != "" }

// trust notes that a component of the message was answered, so that the token of that interaction
// can edit it.
func (at *boardMessage) trust(i interaction) {
	at.app, at.token, at.target, at.until, at.exchange = i.AppID, i.Token, calls.Original, i.tokenEnd(), i.exchange
}
