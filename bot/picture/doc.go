// Package picture draws the table of the poker game as a picture, and describes it in
// words. Both are made from a [PokerTable]. The words are here so that the picture, its
// description for screen readers and the table as text agree.
//
// The same table has the same pixels on every machine; see package canvas.
package picture
