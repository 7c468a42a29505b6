package data

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"fivefold/storage/check"
)

// affectedLines is the most lines of the table of affected games.
const affectedLines = 20

// printAffected writes a table of damaged games, if there are any.
func printAffected(w io.Writer, all []check.Affected) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush() // the check goes on without it
	for i, a := range all {
		ended, lost := "", "no: a repair mends it"
		if !a.Ended.IsZero() {
			ended = a.Ended.UTC().Format(time.DateTime)
		}
		if a.Lost {
			lost = "yes, at least in part"
		}
		switch {
		case i == 0:
			fmt.Fprintln(t, "game\twhere\tplayers\tended (UTC)\tlost")
		case i == affectedLines-2 && len(all) > affectedLines-1:
			fmt.Fprintf(t, "… and %d more\n", len(all)-i)
			return
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", a.Game, a.Where, strings.Trim(fmt.Sprint(a.Who), "[]"), ended, lost)
	}
}
