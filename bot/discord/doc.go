// Package discord is the front on Discord. It receives interactions over the
// gateway, answers them in time, and shows replies as messages, buttons and modals.
//
// The way of an answer is in front.go, each of its stages in a file of its own:
// decode.go, request.go, handle.go, render.go and deliver.go. Calls to Discord go
// through rest.go; gateway.go, session.go and connection.go keep the connection.
//
// discordgo speaks the protocol. Where it was measured to leak, hang or give up, a
// file of this package works around it and says why: rest.go, connection.go,
// gateway.go and decode.go. Facts about Discord are from its public documentation
// of 2026-08, those about discordgo from v0.29.0.
package discord
