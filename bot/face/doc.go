// Package face shows games: what each kind looks like as lines, tiles and pictures,
// what its commands are called, and its words for what a player cannot do.
package face
