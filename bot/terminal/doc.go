// Package terminal is the front for whoever has no Discord: a local channel in
// which typed lines are requests and replies are text.
package terminal
