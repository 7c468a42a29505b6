// Package boardmessage keeps the one message of each match that is played together. boardmessage.go has the message of a
// match, answer.go answers interactions with that message, and recheck.go looks for changes by other processes; jobs.go has
// the goroutines. channel.go limits edits in a channel, and announces moves there. old.go makes the calls that can wait: it
// deletes old boards, and looks up the ids of messages posted by HTTP.
package boardmessage

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
)

// Options say how boards are shown.
type Options struct {
	Deliverer interaction.Deliverer
	Store     game.BoardStore // nil for none
	Shared    bool            // other processes use the store too
	EventGap  time.Duration   // the least time between two messages about events in a channel
	Patience  time.Duration   // how long an answer waits for another call for its board, and for the store
}

// Keeper keeps one message for each match that is played together. An answer that shows
// the match edits that message, or takes its place at the bottom of the channel:
//
//   - A component of the board is answered by an update of its message.
//   - A typed command is answered by a new message, which is the board from then on. The old one is deleted; where
//     that is not possible it stays, and a component of it makes it the board again.
//   - A component of a private message edits the board, wherever that is.
//
// A message is edited by the token of the latest interaction that it answered, for 15 minutes. After that, the bot edits it
// in the channel, if it may. A Keeper is safe for concurrent use.
type Keeper struct {
	Options
	jobs    *jobs
	chores  chan struct{} // has a value for each running chore
	waiting atomic.Int64  // how many chores wait or run

	mu       sync.Mutex // protects the maps, and each board's field used
	all      map[game.MatchID]*boardMessage
	channels map[string]*channel
}

// New returns a keeper that knows no board yet.
func New(o Options) *Keeper {
	return &Keeper{
		Options: o, jobs: newJobs(o.Deliverer.Log), chores: make(chan struct{}, maxChores),
		all: map[game.MatchID]*boardMessage{}, channels: map[string]*channel{},
	}
}

// Shows reports whether a board shows the reply to an interaction.
func (k *Keeper) Shows(i interaction.Interaction, r bot.Reply) bool {
	return r.Board != nil && r.Audience == bot.Everyone && r.Form == nil && !i.BotContext().AskerOnly
}

// Choose returns r or, if the board is known to show r's version of the match already, r.Board.Otherwise.
func (k *Keeper) Choose(r bot.Reply) bot.Reply {
	if r.Board == nil || r.Board.Otherwise == nil {
		return r
	}
	if b := k.known(r.Board.Match); b == nil || b.shown.Load() < r.Board.Version {
		return r
	}
	return *r.Board.Otherwise
}

// known returns the board of a match if it is in memory, or nil.
func (k *Keeper) known(match game.MatchID) *boardMessage {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all[match]
}

// IsCurrent reports whether the message of a component shows the present board, or will without another press.
func (k *Keeper) IsCurrent(i interaction.Interaction, r bot.Reply) bool {
	if r.Board == nil {
		return false
	}
	if b := k.known(r.Board.Match); b != nil {
		if !b.take(time.Second / 10) { // a call for the board is under way, and may take long
			return true
		}
		at := b.at
		<-b.turn
		if (at.ID == "" || at.ID == i.Message.ID) && (at.HasToken() || b.shown.Load() >= r.Board.Version) {
			return true
		}
	}
	return k.Deliverer.IsShown(i, r)
}

// Show is a [bot.Show]. A match whose message is unknown, or may not be edited, is shown at the next press of one of its buttons.
func (k *Keeper) Show(read func(context.Context) (bot.Reply, error)) {
	k.jobs.run(func() {
		ctx, cancel := context.WithTimeout(context.Background(), k.Deliverer.Timeout)
		defer cancel()
		r, err := read(ctx)
		if err != nil {
			k.Deliverer.Log.Warn("could not read a board that has changed", "error", err)
		}
		if err != nil || r.Audience != bot.Everyone {
			return
		}
		at := r.Board.Location
		b := k.board(r.Board, string(at.Guild), string(at.Channel))
		defer b.users.Add(-1)
		st := newState(string(r.Board.Match), interaction.Result{Reply: r})
		b.observe(st)
		b.async(func() { b.showLater(st) })
	})
}

// board returns the board of a match. It is not forgotten until the caller subtracts 1 from its users.
func (k *Keeper) board(about *bot.Board, server, inChannel string) *boardMessage {
	k.mu.Lock()
	defer k.mu.Unlock()
	b := k.all[about.Match]
	if b == nil {
		k.makeRoom()
		c := k.channels[inChannel]
		if c == nil {
			c = &channel{keeper: k, id: inChannel}
			k.channels[inChannel] = c
		}
		b = &boardMessage{
			keeper: k, match: about.Match, slot: about.Slot, server: server, channel: c,
			turn: make(chan struct{}, 1), left: make(chan struct{}, 1), announced: map[uint64]bool{},
		}
		k.all[about.Match] = b
	}
	b.used = time.Now()
	b.users.Add(1)
	return b
}

// maxBoards is how many boards are kept in memory, of some 8 KB each. The store has the messages of other matches. Until a
// component of such a message is used, only the bot itself can edit it, where it may.
const maxBoards = 1024

// makeRoom forgets a quarter of the boards if there are too many: the idle ones unused for longest. It also forgets the idle
// channels without a board. The caller holds mu.
func (k *Keeper) makeRoom() {
	if len(k.all) < maxBoards {
		return
	}
	var unused []*boardMessage
	for _, b := range k.all {
		if b.users.Load() == 0 {
			unused = append(unused, b)
		}
	}
	slices.SortFunc(unused, func(a, b *boardMessage) int { return a.used.Compare(b.used) })
	for _, b := range unused[:min(len(unused), maxBoards/4)] {
		delete(k.all, b.match)
	}
	kept := map[string]bool{}
	for _, b := range k.all {
		kept[b.channel.id] = true
	}
	maps.DeleteFunc(k.channels, func(id string, c *channel) bool { return !kept[id] && c.rests() })
}

// errNoWay means that a message cannot be edited: it was deleted, or its token has ended and the bot may not edit it.
var errNoWay = errors.New("the message cannot be edited")

// editMessage replaces the content of a message: by its token or, if that does not work any more, by the bot.
func (k *Keeper) editMessage(channel string, at *knownMessage, m interaction.Message) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), k.Deliverer.Timeout)
	defer cancel()
	for again := true; again; m, again = m.Plainer(err, k.Deliverer.Log, "") {
		err = k.reach(ctx, at, func() error { return k.Deliverer.Calls.EditByToken(ctx, at.App, at.Token, at.Target, m) },
			func() error { return k.Deliverer.Calls.EditByBot(ctx, channel, at.ID, m) })
	}
	return err
}

// reach changes a message by its token or, if that does not work any more, by the bot.
func (k *Keeper) reach(ctx context.Context, at *knownMessage, byToken, byBot func() error) (err error) {
	if at.HasToken() {
		if err = at.Exchange.Settle(ctx); err == nil {
			err = byToken()
		}
		if !calls.IsNoWay(err) {
			return err
		}
		if !calls.IsGone(err) {
			at.Token = ""
		}
	}
	if at.byBot && at.ID != "" && !calls.IsGone(err) {
		if err = byBot(); !calls.IsNoWay(err) {
			return err
		}
	}
	return errors.Join(errNoWay, err)
}

// Rests reports whether all boards are idle.
func (k *Keeper) Rests() bool { return k.jobs.running.Load() == 0 }

// Drain waits until every state is shown, but not longer than atMost. It reports whether all are.
func (k *Keeper) Drain(atMost time.Duration) bool {
	k.jobs.end()
	return k.jobs.wait(atMost)
}

// knownMessage is a message that shows a match, and the ways to edit it.
type knownMessage struct {
	interaction.Posted
	since string // the interaction by which it became the board
	byBot bool   // whether the bot may edit it in the channel
	// file is the message's picture. Only a press tells the file's id: after an upload, the id is unknown until the next
	// press.
	file interaction.File
	// again means that the same picture was uploaded twice: components may still name the id of the first upload.
	again bool
	stays bool // a replaced message that could not be deleted
}

// observe records the file of the message when a component of it was used.
func (at *knownMessage) observe(f interaction.File) {
	same := f.Name == at.file.Name && f.Description == at.file.Description
	if at.file == (interaction.File{}) || same && !at.again { // otherwise f is an earlier file
		at.file = f
	}
}

// shows records the picture of the message after m was sent as its content.
func (at *knownMessage) shows(m interaction.Message) {
	switch {
	case m.Kept:
	case m.Picture == nil:
		at.file, at.again = interaction.File{}, false
	default:
		at.again = at.file.Shows(m.Picture)
		at.file = interaction.File{Name: m.Picture.Name, Description: m.Picture.Alt}
	}
}

// editable reports whether the message can be edited without an answer to one of its components.
func (at *knownMessage) editable() bool { return at.HasToken() || at.byBot && at.ID != "" }

// trust records that a component of the message was answered: the token of that interaction can edit the message.
func (at *knownMessage) trust(i interaction.Interaction) {
	at.App, at.Token, at.Target, at.Until, at.Exchange = i.AppID, i.Token, calls.Original, i.TokenEnd(), i.Exchange
}
