package discord

import (
	"time"

	"fivefold/bot/admission"
	"fivefold/bot/discord/endpoint"
	"fivefold/bot/discord/gateway"
)

// Observer counts what the front does, for metrics. Its methods must be quick and safe for concurrent use. Their arguments
// never identify a player, and never contain a word, a board or a token.
type Observer interface {
	gateway.Observer
	endpoint.Observer
	// Begun is called when the work on an interaction begins. The age is the time since the player made it.
	Begun(command string, age time.Duration)
	// Ended is called once for each interaction that was received, at its end.
	Ended(command string, outcome Outcome, age time.Duration)
	// WatchQueue is called once, with a function that returns the state of the queue at any time.
	WatchQueue(stats func() admission.Stats)
	// Responded is called for each response of Discord to a call of ours, with its status.
	Responded(status int)
}

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
