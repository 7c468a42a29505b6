// Package picture draws the table of the poker game as a picture, and says in words
// what it shows. [Table] is what both are about; the words are here too, so that the
// picture, what is said for who cannot see it, and the same as text agree.
//
// Nothing is read but the arguments: the letters come from a font in the program,
// suits and signs are shapes of our own. Nothing is calculated that machines round in
// different ways, so the same table has the same pixels everywhere, and the same bytes
// where the program is built with the same release of Go, which packs them.
package picture
