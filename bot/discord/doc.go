// Package discord is the front on Discord. It receives interactions over the gateway or by
// HTTP, answers them in time, and shows replies as messages, buttons and modals.
//
// front.go names the stages that an answer passes through, each in a file of its own:
// decode.go, admit.go, request.go, handle.go, render.go and deliver.go. Replies that show a
// match are delivered by boards.go: each match has one message, which board.go keeps; channel.go says
// how often that message may be edited, and tells the channel what was done in a match. Calls to
// Discord go through package calls. Interactions come from package gateway, or by HTTP from package
// endpoint, which carries the first response back.
//
// Where discordgo was measured to panic, decode.go works around it and says why. Facts about Discord
// are from its public
// documentation of 2026-08, those about discordgo from v0.29.0.
package discord
