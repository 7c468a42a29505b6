package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/endpoint"
	"fivefold/bot/discord/interaction"
)

// receive takes an interaction from the gateway, given as its raw event, and returns at
// once: it is answered in a goroutine of its own, or not at all.
func (f *front) receive(raw []byte) {
	defer interaction.LogPanic(f.log, "")
	if _, err := f.take(raw, nil); err != nil {
		f.observer.Ended("", Failed, 0)
	}
}

// take is receive for an interaction that came by any way: see [endpoint.Take].
func (f *front) take(raw []byte, x *endpoint.Exchange) (ping bool, err error) {
	i, err := interaction.Decode(raw, interaction.Arrival{Exchange: x, Age: f.ages.Of, MaxAge: f.timings.limits.MaxAge})
	switch {
	case i.Type == discordgo.InteractionPing && x != nil:
		return true, nil
	case err != nil:
		f.log.Error("could not read an interaction", "error", err)
		return false, err
	}
	f.queue.Submit(admission.Request{
		Player: i.Player(), Channel: i.ChannelID, Server: i.GuildID, Age: i.Age(),
		Completion: i.Type == discordgo.InteractionApplicationCommandAutocomplete,
		Run: func(ctx context.Context) {
			f.observer.Begun(i.ObservedCommand(), i.Age())
			ended := closed
			f.end(i, func() (outcome Outcome) {
				outcome, ended = f.serve(ctx, i)
				return outcome
			})
			<-ended // a handler that nobody waits for any more still takes a place
		},
		Refuse: func(why admission.Refusal, answer bool) {
			f.end(i, func() Outcome { return f.refuse(i, why, answer) })
		},
	})
	return false, nil
}

// end does the work that ends an interaction, survives its panics, and tells the observer.
func (f *front) end(i interaction.Interaction, work func() Outcome) {
	outcome := Failed
	way := "gateway"
	if i.Exchange != nil {
		way = "HTTP"
		defer i.Exchange.End()
	}
	defer func() {
		f.observer.Ended(i.ObservedCommand(), outcome, i.Age())
		f.log.Debug("interaction", "id", i.ID, "command", i.ObservedCommand(), "outcome", outcome, "way", way,
			"took", time.Since(i.Received).Round(time.Millisecond), "age", i.Age().Round(time.Millisecond),
			"player", f.hidden(i.Player()), "channel", f.hidden(i.ChannelID), "server", f.hidden(i.GuildID))
	}()
	defer interaction.LogPanic(f.log, i.ID)
	outcome = work()
}

// hidden returns a hash of an id for the log, by which lines about the same one can be found. No other run has
// the same hashes.
func (f *front) hidden(id string) string {
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(f.hashKey + id))
	return hex.EncodeToString(sum[:6])
}

// refuse ends an interaction that is not worked on. One that has expired is not answered:
// Discord takes no answer any more.
func (f *front) refuse(i interaction.Interaction, why admission.Refusal, answer bool) Outcome {
	if answer {
		reply := bot.Busy()
		if why == admission.OneAtATime {
			reply = bot.OneAtATime()
		}
		a, err := interaction.Render(interaction.Result{Reply: reply}, i.ResponseOptions(), &f.names)
		if err != nil {
			f.log.Error("could not show part of a reply", "id", i.ID, "error", err)
		}
		// If it is not delivered, there is nothing more to say.
		_ = f.deliverer.Deliver(i, a, nil)
	}
	switch why {
	case admission.Expired:
		return Expired
	case admission.Superseded:
		return Superseded
	}
	return Busy
}
