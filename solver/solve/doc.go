// Package solve helps players with puzzles that they play elsewhere: words, alone or on several boards, and the poker game.
// Players enter their guesses and the feedback they got; the package works out what is possible and what to guess next.
//
// [Words] and [Cards] answer players and keep a [Session] of each. [SplitTurn], [SplitBoards], [SplitCards] and [SplitDeal] read
// what players type.
package solve
