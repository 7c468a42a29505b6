// Package discord is the front on Discord. It receives interactions over the gateway or by
// HTTP, answers them in time, and shows replies as messages, buttons and modals.
//
// It connects its subpackages: interactions come from package gateway or endpoint, and become
// requests and answers in package interaction; front.go names the stages. Package boardmessage
// delivers replies that show a match. All of them make their calls to Discord by package calls, and
// package application registers commands and uploads tiles.
//
// Facts about Discord are from its public documentation of 2026-08, those about discordgo from v0.29.0.
package discord
