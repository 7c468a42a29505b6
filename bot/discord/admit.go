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

// receive is take for the gateway: nothing that comes from there, however strange, ends the program.
func (f *front) receive(raw []byte) {
	defer bot.LogPanic(f.log, "")
	f.take(raw, nil)
}

// take takes an interaction that came over the gateway, given as its raw event, or by HTTP: see [endpoint.Take].
// It returns at once: the interaction is answered in a goroutine of its own, or not at all.
func (f *front) take(raw []byte, x *endpoint.Exchange) (ping bool, err error) {
	i, err := interaction.Decode(raw, x)
	switch {
	case i.Type == discordgo.InteractionPing && x != nil:
		return true, nil
	case err != nil:
		f.log.Error("could not read an interaction", "error", err)
		if x == nil {
			f.observer.Ended("", Failed, 0)
		}
		return false, err
	}
	i.SetAge(f.clock.Age(i.Made), f.timings.limits.MaxAge)
	f.queue.Enter(admission.Request{
		Player: i.Player(), Channel: i.ChannelID, Server: i.GuildID, Age: i.Age(),
		Completion: i.Type == discordgo.InteractionApplicationCommandAutocomplete,
	}, &job{f, i})
	return false, nil
}

// job is the work on an interaction.
type job struct {
	front *front
	on    interaction.Interaction
}

// Work answers the interaction, or refuses it. It survives panics, and tells the observer.
func (j *job) Work(ctx context.Context, why admission.Refusal, mayAnswer bool) {
	f, i := j.front, j.on
	outcome, way := Failed, "gateway"
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
	defer bot.LogPanic(f.log, i.ID)
	if why != admission.Admitted {
		outcome = f.refuse(i, why, mayAnswer)
		return
	}
	f.observer.Begun(i.ObservedCommand(), i.Age())
	c, r := i.Request(f.find, f.access)
	switch i.Type {
	case discordgo.InteractionApplicationCommand, discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		outcome = f.answer(ctx, i, c, r)
	case discordgo.InteractionApplicationCommandAutocomplete:
		outcome = f.autocomplete(ctx, i, c, r)
	default:
		f.log.Warn("could not answer an interaction of an unknown type", "id", i.ID, "type", int(i.Type))
	}
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
		// If it is not delivered, there is nothing more to say.
		_ = f.deliverer.Deliver(i, interaction.Result{Reply: reply}, nil)
	}
	switch why {
	case admission.Expired:
		return Expired
	case admission.Superseded:
		return Superseded
	}
	return Busy
}
