package discord

import (
	"time"

	"fivefold/bot/admission"
)

// Observer learns what the front does, for metrics. Its methods are called in the
// middle of the work and from many goroutines, so they must be quick and safe for
// concurrent use. Nothing that they are given identifies a player, or contains a word,
// a board or a token.
type Observer interface {
	// Begun is called when a handler begins to work on an interaction. age is the time
	// since the player sent it, by its snowflake.
	Begun(command string, age time.Duration)
	// Ended is called once for each interaction that was received, at its end.
	Ended(command string, outcome Outcome, age time.Duration)
	// GatewayChanged is called with false for each shard of this process before the first
	// of them connects, and then whenever the connection of a shard comes up or goes down:
	// the process is connected if all shards that it was called for are.
	GatewayChanged(shard int, connected bool)
	// Identified is called when a shard begins a new session; remaining is how many
	// more Discord allows today, or -1 if it does not say.
	Identified(shard, remaining int)
	// WatchQueue is called once, with a function that returns how many interactions are
	// being worked on, and how many wait, at any time.
	WatchQueue(stats func() admission.Stats)
	// Refused is called for each request by HTTP that is refused before it is read as an
	// interaction, with one of [Refusals].
	Refused(why string)
	// Responded is called for each response of Discord to a call of ours, with its status.
	Responded(status int)
}

// Refusals are the reasons for which requests by HTTP are refused.
var Refusals = []string{refusedSignature, refusedTime, refusedBody}

// Outcome is how an interaction ended.
type Outcome string

const (
	Answered     Outcome = "answered"
	Failed       Outcome = "failed"        // an error of ours: the player got an apology
	Busy         Outcome = "busy"          // refused, since too much is asked for at once
	Expired      Outcome = "expired"       // dropped before it changed anything, since it waited for too long
	NotDelivered Outcome = "not_delivered" // the answer did not reach Discord
	Superseded   Outcome = "superseded"    // a completion that was not answered, since the player has typed on
)

// unobserved is the Observer of a front without one.
type unobserved struct{}

func (unobserved) Begun(string, time.Duration)          {}
func (unobserved) Ended(string, Outcome, time.Duration) {}
func (unobserved) GatewayChanged(int, bool)             {}
func (unobserved) Identified(int, int)                  {}
func (unobserved) WatchQueue(func() admission.Stats)    {}
func (unobserved) Responded(int)                        {}
func (unobserved) Refused(string)                       {}
