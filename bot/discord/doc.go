// Package discord is the front on Discord: it receives interactions over the
// gateway, answers them in time and draws replies as messages.
//
// discordgo does the protocol. Where it was measured to leak, hang or give up,
// a file of this package goes round it and says why: send.go, dial.go,
// gateway.go and interaction.go. Facts about Discord are as of 2026-08, from
// its public documentation, and those about discordgo are of v0.29.0.
package discord
