package solver

import (
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
)

//go:generate go run fivefold/cmd/fivefold openers -o trees/easy.openers
//go:generate go run fivefold/cmd/fivefold openers --hard -o trees/hard.openers

// openerFiles have the totals of all openers of the built-in lists. Go generate takes
// about forty minutes to make them on two cores.
//
//go:embed trees/*.openers
var openerFiles embed.FS

// openerTable has the totals of all openers of one mode.
type openerTable struct {
	all  []opener // by guess
	best int      // the guess with the least total
}

func (t *openerTable) least() opener { return t.all[t.best] }

// The file of a table:
//
//	"fivefold openers 1\n"
//	the lists' checksum, 32 bytes
//	as varints: 1 for hard mode or 0, the least total, the number of openers, and for
//	  each, in the order of the list, twice the difference of its total from the least,
//	  plus 1 if it is exact
//	CRC-32 (IEEE) of all that, 4 bytes, the lowest first
const openersMagic = "fivefold openers 1\n"

// errNoOpeners means that a file is not a table of openers.
var errNoOpeners = errors.New("not a table of openers of this program, or damaged")

// WriteOpeners computes the total of every opener for the solver's lists, in hard mode
// or not, and writes the table: [Solver.Review] looks openers up in such tables, which are
// built in. That takes about twenty minutes for 11 000 words on two cores, and the table is
// the same every time. Progress, if not nil, is called with how many openers are done. The
// error is the context's or the writer's, or says that there are too many words.
func (s *Solver) WriteOpeners(ctx context.Context, w io.Writer, hard bool, progress func(done, of int)) error {
	all, err := s.computeOpeners(ctx, hard, runtime.GOMAXPROCS(0), progress)
	if err != nil {
		return err
	}
	sum := s.lists.Checksum()
	_, err = w.Write(newOpenerTable(all).file(sum[:], hard))
	return err
}

func newOpenerTable(all []opener) *openerTable {
	t := &openerTable{all: all}
	for g, o := range all {
		if o.total < t.least().total {
			t.best = g
		}
	}
	return t
}

// file returns the table as a file.
func (t *openerTable) file(checksum []byte, hard bool) []byte {
	b := append([]byte(openersMagic), checksum...)
	mode := uint64(0)
	if hard {
		mode = 1
	}
	for _, n := range []uint64{mode, uint64(t.least().total), uint64(len(t.all))} {
		b = binary.AppendUvarint(b, n)
	}
	for _, o := range t.all {
		n := 2 * uint64(o.total-t.least().total)
		if o.exact {
			n++
		}
		b = binary.AppendUvarint(b, n)
	}
	return withCRC(b)
}

// readOpeners reads the table for lists with the checksum and this number of guesses. The
// error is errNoOpeners or [ErrOtherLists].
func readOpeners(b, checksum []byte, guesses int, hard bool) (*openerTable, error) {
	numbers, err := checked(b, openersMagic, checksum, errNoOpeners)
	if err != nil {
		return nil, err
	}
	ofHard := numbers.next(2) == 1
	least := numbers.next(impossible)
	if numbers.next(guesses+1) != guesses || ofHard != hard {
		return nil, errNoOpeners
	}
	all := make([]opener, guesses)
	for g := range all {
		n := numbers.next(impossible)
		all[g] = opener{int32(least + n/2), n%2 == 1}
	}
	if err := numbers.end(); err != nil {
		return nil, err
	}
	return newOpenerTable(all), nil
}

// openers returns the totals of all openers, or nil if there is no table for the lists.
// An error means that the built-in files are damaged.
func (s *Solver) openers(hard bool) (*openerTable, error) {
	if hard {
		return s.hardOpeners()
	}
	return s.easyOpeners()
}

// builtInOpeners returns the table of the mode, or nil if it was made for other lists than
// the solver's.
func (s *Solver) builtInOpeners(hard bool) (*openerTable, error) {
	name := "trees/easy.openers"
	if hard {
		name = "trees/hard.openers"
	}
	file, err := openerFiles.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the built-in totals of openers: %w", err)
	}
	sum := s.lists.Checksum()
	t, err := readOpeners(file, sum[:], len(s.lists.Guesses()), hard)
	if errors.Is(err, ErrOtherLists) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}
