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

// flagValue is the value of a flag that knows its bounds, as [pflag.Value].
type flagValue struct {
	text func() string
	set  func(string) error
	kind string
}

func (f *flagValue) String() string { return f.text() }

// Set implements [pflag.Value].
func (f *flagValue) Set(text string) error { return f.set(text) }

// Type implements [pflag.Value]. The help shows it.
func (f *flagValue) Type() string { return f.kind }

// MostOfAny is the bound of numbers that have none of their own.
const MostOfAny = 1_000_000_000

// WholeNumber returns the value of a flag that is a whole number from least to most.
func WholeNumber(to *int, least, most int) pflag.Value {
	return &flagValue{kind: "number", text: func() string { return strconv.Itoa(*to) }, set: func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return fmt.Errorf("it must be a whole number from %d to %d", least, most)
		}
		*to = n
		return nil
	}}
}

// Duration returns the value of a flag that is a duration of more than 0.
func Duration(to *time.Duration) pflag.Value {
	text := func() string {
		if *to == 0 {
			return ""
		}
		return to.String()
	}
	return &flagValue{kind: "duration", text: text, set: func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return errors.New("it must be a duration of more than 0, such as 500ms, 90s or 5m")
		}
		*to = d
		return nil
	}}
}

// Choice returns the value of a flag that is one of some names.
func Choice(to *string, names []string) pflag.Value {
	return &flagValue{kind: "name", text: func() string { return *to }, set: func(text string) error {
		if !slices.Contains(names, text) {
			return fmt.Errorf("it can be %s", strings.Join(names, ", "))
		}
		*to = text
		return nil
	}}
}
