package data

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"fivefold/storage"
)

// affected is whose games and other data something is wrong with.
type affected []storage.Affected

func (all *affected) add(a storage.Affected) { *all = append(*all, a) }

// affectedLines is how many lines the table has at most.
const affectedLines = 20

// print writes a table, unless it is empty.
func (all affected) print(w io.Writer) {
	if len(all) == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "affected\twhere\tplayers\tended (UTC)\tlost")
	for i, a := range all {
		if i == affectedLines-2 && len(all) > affectedLines-1 {
			fmt.Fprintf(t, "… and %d more\n", len(all)-i)
			break
		}
		ended, lost := "", "no: a repair mends it"
		if !a.Ended.IsZero() {
			ended = a.Ended.UTC().Format(time.DateTime)
		}
		if !a.Derived {
			lost = "yes, at least in part"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", a.What, a.Where, a.Who, ended, lost)
	}
	_ = t.Flush() // what the terminal does not take is no reason to stop
}
