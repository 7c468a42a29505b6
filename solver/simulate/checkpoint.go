package simulate

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"fivefold/game/wordle"
)

// A checkpoint is a file of lines, each a JSON object: a header, then a record of each
// class of the opener that was played, in any order. Records are only ever appended,
// and each is on the disk before the next one. So a run that is killed leaves at most a
// torn last line, which is dropped.

// Why a checkpoint is refused. The file stays as it is.
var (
	// ErrOtherRun means that a checkpoint was made with other options or word lists.
	ErrOtherRun = errors.New("the checkpoint is from another simulation")
	// ErrNoCheckpoint means that a file is not a checkpoint, or is damaged.
	ErrNoCheckpoint = errors.New("not a checkpoint")
)

const checkpointFormat = 1

// header describes the run of a checkpoint.
type header struct {
	Format   int         `json:"checkpoint"`
	Settings string      `json:"settings"`
	Hard     bool        `json:"hard"`
	Sample   int         `json:"sample"`
	Seed     uint64      `json:"seed"`
	Lists    string      `json:"lists"`           // the checksum of both lists
	Given    wordle.Word `json:"given,omitempty"` // the opener that was asked for
	Opener   wordle.Word `json:"opener"`          // the one that was played
}

func headerOf(o Options) header {
	sum := o.Lists.Checksum()
	h := header{Format: checkpointFormat, Settings: o.Settings, Hard: o.Hard, Lists: hex.EncodeToString(sum[:]), Given: o.Opener}
	if o.Sample > 0 {
		h.Sample, h.Seed = o.Sample, o.Seed
	}
	return h
}

// differences describes how two headers differ.
func (h header) differences(o header) string {
	var all []string
	differ := func(what string, theirs, ours any) {
		if theirs != ours {
			all = append(all, fmt.Sprintf("%s %v, not %v", what, theirs, ours))
		}
	}
	differ("format", h.Format, o.Format)
	differ("strategy", h.Settings, o.Settings)
	differ("hard mode", h.Hard, o.Hard)
	differ("sample", h.Sample, o.Sample)
	differ("seed", h.Seed, o.Seed)
	differ("given opener", orNone(h.Given), orNone(o.Given))
	if h.Lists != o.Lists {
		all = append(all, "other word lists")
	}
	return strings.Join(all, "; ")
}

func orNone(w wordle.Word) string {
	if w == 0 {
		return "none"
	}
	return w.String()
}

// record has the games of one class of the opener.
type record struct {
	Feedback string          `json:"feedback"`
	Games    [][]wordle.Word `json:"games"`
}

// checkpoint is a file that records are appended to.
type checkpoint struct {
	path    string
	save    func(path string, content []byte) error // [Options.Create]
	header  header
	exists  bool // with a header
	good    int64
	records map[wordle.Feedback][][]wordle.Word

	mu   sync.Mutex // protects what is below
	file *os.File
	err  error // of the first record that could not be appended; none follow
}

// readCheckpoint reads a file, if it exists and is not empty. It does not change it.
func readCheckpoint(path string, save func(path string, content []byte) error, want header) (*checkpoint, error) {
	c := &checkpoint{path: path, save: save, header: want, records: map[wordle.Feedback][][]wordle.Word{}}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(content) == 0 {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	first, _, whole := bytes.Cut(content, []byte("\n"))
	var found header
	if err := json.Unmarshal(first, &found); !whole || err != nil || found.Format == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrNoCheckpoint)
	}
	if what := found.differences(want); what != "" {
		return nil, fmt.Errorf("%s: %w (%s)", path, ErrOtherRun, what)
	}
	c.header, c.exists, c.good = found, true, int64(len(first)+1)
	for number := 2; c.good < int64(len(content)); number++ {
		text, _, whole := bytes.Cut(content[c.good:], []byte("\n"))
		last := c.good+int64(len(text))+1 >= int64(len(content))
		var l record
		err := json.Unmarshal(text, &l)
		f, badFeedback := wordle.ParseFeedback(l.Feedback)
		switch {
		case last && (!whole || err != nil):
			return c, nil // torn
		case err != nil || badFeedback != nil:
			return nil, fmt.Errorf("%s: line %d: damaged: %w", path, number, ErrNoCheckpoint)
		}
		c.records[f] = l.Games
		c.good += int64(len(text)) + 1
	}
	return c, nil
}

// opener returns the opener that was played, or the zero Word for a new file.
func (c *checkpoint) opener() wordle.Word { return c.header.Opener }

// games returns the games of a class, if the file has them.
func (c *checkpoint) games(of class) ([]Game, bool, error) {
	lines, ok := c.records[of.feedback]
	if !ok {
		return nil, false, nil
	}
	var games []Game
	var hidden []wordle.Word
	for _, guesses := range lines {
		if len(guesses) < 2 || guesses[0] != c.header.Opener {
			return nil, false, fmt.Errorf("%s: class %v: damaged: %w", c.path, of.feedback, ErrNoCheckpoint)
		}
		games = append(games, Game{guesses})
		hidden = append(hidden, guesses[len(guesses)-1])
	}
	slices.SortFunc(hidden, wordle.Word.Compare)
	if !slices.Equal(hidden, of.hidden) {
		return nil, false, fmt.Errorf("%s: class %v has other words: damaged: %w", c.path, of.feedback, ErrNoCheckpoint)
	}
	return games, true, nil
}

// open makes the file ready for new records. It creates a new file with its header in
// one step, and cuts a torn line off an old one.
func (c *checkpoint) open(opener wordle.Word) error {
	if !c.exists {
		c.header.Opener = opener
		if err := c.create(); err != nil {
			return fmt.Errorf("making the checkpoint: %w", err)
		}
	}
	f, err := os.OpenFile(c.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if err := f.Truncate(c.good); err != nil {
		f.Close()
		return err
	}
	c.file = f
	return nil
}

func (c *checkpoint) create() error {
	b, err := json.Marshal(c.header)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	c.good = int64(len(b))
	return c.save(c.path, b)
}

// add appends the record of a class and returns when it is on the disk.
func (c *checkpoint) add(f wordle.Feedback, games []Game) error {
	l := record{Feedback: f.String()}
	for _, g := range games {
		l.Games = append(l.Games, g.Guesses)
	}
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		_, c.err = c.file.Write(append(b, '\n'))
	}
	if c.err == nil {
		c.err = c.file.Sync()
	}
	if c.err != nil {
		return fmt.Errorf("adding to the checkpoint: %w", c.err)
	}
	return nil
}

func (c *checkpoint) close() {
	c.file.Close() // every record is on the disk by now
}
