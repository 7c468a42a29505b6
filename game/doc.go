// Package game runs matches: it orders the moves of a channel, applies the
// rules, and commits every change before anyone sees it.
//
// The [Manager] is what fronts call. No match lives in memory: each move loads
// the match from the [Store], applies a pure rule and commits the result with
// the next version number, so after a crash there is nothing to restore, and several
// machines can serve one channel. Statistics follow from the log, which has the [Result]
// of each match; the commit that ends a match also brings [Totals] and leaderboards up to
// date.
package game
