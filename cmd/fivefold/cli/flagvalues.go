package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Values of flags that know their bounds, so that these are checked before anything else, and
// in one place. The texts of errors continue the flag and its value: "--depth 0: ".

// wholeFlag is a whole number from least to most.
type wholeFlag struct {
	to          *int
	least, most int
}

// WholeNumber returns the value of a flag that is a whole number from least to most.
func WholeNumber(to *int, least, most int) pflag.Value { return wholeFlag{to, least, most} }

// MostMemory is the bound of --memory: a terabyte, in megabytes.
const MostMemory = 1 << 20

// MostOfAny is the bound of numbers that have none of their own.
const MostOfAny = 1_000_000_000

func (f wholeFlag) String() string {
	if f.to == nil { // pflag makes a zero value
		return ""
	}
	return strconv.Itoa(*f.to)
}

func (f wholeFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch bad := err != nil || n < f.least || n > f.most; {
	case bad && f.most == MostOfAny:
		return fmt.Errorf("it must be a whole number, at least %d", f.least)
	case bad:
		return fmt.Errorf("it must be a whole number from %d to %d", f.least, f.most)
	}
	*f.to = n
	return nil
}

func (wholeFlag) Type() string { return "number" }

// durationFlag is a duration of more than 0.
type durationFlag struct{ to *time.Duration }

// Duration returns the value of a flag that is a duration of more than 0.
func Duration(to *time.Duration) pflag.Value { return durationFlag{to} }

func (f durationFlag) String() string {
	if f.to == nil || *f.to == 0 {
		return ""
	}
	return f.to.String()
}

func (f durationFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("it must be a duration of more than 0, such as 500ms, 90s or 5m")
	}
	*f.to = d
	return nil
}

func (durationFlag) Type() string { return "duration" }

// choiceFlag is one of some names.
type choiceFlag struct {
	to    *string
	names []string
}

// Choice returns the value of a flag that is one of some names.
func Choice(to *string, names []string) pflag.Value { return choiceFlag{to, names} }

func (f choiceFlag) String() string {
	if f.to == nil {
		return ""
	}
	return *f.to
}

func (f choiceFlag) Set(text string) error {
	if !slices.Contains(f.names, text) {
		return fmt.Errorf("it can be %s%s", enumerate(f.names, "or"), didYouMean(text, f.names))
	}
	*f.to = text
	return nil
}

func (choiceFlag) Type() string { return "name" }

// enumerate joins names as in a sentence: "a, b or c".
func enumerate(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + last + " " + names[len(names)-1]
}
