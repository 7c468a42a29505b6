// Package bot is what fronts and handlers of commands share: a front passes a [Request]
// to the [Bot] and shows the [Reply].
//
// The [Table] is the only list of commands. What a front registers, parses,
// completes and explains comes from it.
package bot
