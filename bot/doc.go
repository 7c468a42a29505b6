// Package bot turns what a player did into what the player is told: a [Request]
// in, a [Reply] out, whatever front they come from and go to.
//
// The [Table] is the only list of commands. What a front registers, parses,
// completes and explains comes from it.
package bot
