// Command generate makes the word lists of package dictionary, and the meanings of hidden words,
// from Debian's packages scowl and wordnet-base and the hand-written lists in this folder.
//
// It writes guesses.txt, answers.txt, withheld.txt, weights.txt, meanings.txt, sums.go and
// SCOWL-COPYRIGHT into the folder given by -out. The same input gives the same output, byte
// for byte; input other than that of scowl 2020.12.07-2 and WordNet 3.0 is refused.
package main

//go:generate go run . -out ..

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	err := run(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run is the whole program but for the exit code. It writes no file unless
// every input has been read and found right.
func run(args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	scowlDir := flags.String("scowl", "/usr/share/dict/scowl", "folder of the scowl lists")
	copyrightFile := flags.String("copyright", "/usr/share/doc/scowl/copyright", "copyright file of the scowl package")
	wordNetDir := flags.String("wordnet", "/usr/share/wordnet", "folder of the WordNet database")
	outDir := flags.String("out", ".", "folder to write to")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}

	copyright, err := readCopyright(*copyrightFile)
	if err != nil {
		return err
	}
	files, err := readFiles(*scowlDir, guessSize)
	if err != nil {
		return err
	}
	if err := verifyFiles(files); err != nil {
		return err
	}
	scowl, err := collect(files)
	if err != nil {
		return err
	}
	hand, err := readHandLists(scowl)
	if err != nil {
		return err
	}
	chosen, err := choose(scowl, hand)
	if err != nil {
		return err
	}
	net, err := readWordNet(*wordNetDir)
	if err != nil {
		return err
	}
	meanings, err := meanings(net, chosen.answers, chosenMeanings)
	if err != nil {
		return err
	}
	return write(*outDir, chosen, meanings, copyright)
}
