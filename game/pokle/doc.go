// Package pokle is the rules of the game of the hidden poker board: cards, hands and their strength, the deal, boards, feedback
// and the state of one game.
//
// Three players hold two known cards each. Five board cards are hidden: three of the flop, whose order does not matter, the turn
// and the river. Each player's place after each of the three streets is known. Places are written for player 1, 2 and 3, in this
// order everywhere: "2 1 3" says that player 2 is the best.
//
// Everything here is a value without I/O, clock or randomness; a move takes a [State] and returns a new one. There is one
// definition of each rule: [Cards.Evaluate] says what a hand is worth and which cards make it, [Deal.Fits] which boards are
// possible, and [Deal.Score] which feedback a guess gets.
package pokle
