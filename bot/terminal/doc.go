// Package terminal is the front for a terminal: a local channel where typed lines
// are requests and replies are text.
package terminal
