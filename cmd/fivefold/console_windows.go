package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/inconshreveable/mousetrap"

	"fivefold/bot/terminal/tty"
)

// prepareConsole makes the console understand the codes for colours and for moving the cursor,
// which line editing and progress bars write. Text needs no preparation: Go passes it to a
// console in UTF-16, whatever its code page.
func prepareConsole() {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		tty.HasColours(f, nil) // turns them on; a file that is not a console needs nothing
	}
}

// keepWindow waits for Enter if the program was double-clicked: its window closes when it ends,
// and takes the messages with it.
func keepWindow() {
	if !mousetrap.StartedByExplorer() {
		return
	}
	fmt.Fprint(os.Stderr, "\nPress Enter to close this window. ")
	// At the end of the input there is nobody to wait for.
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}
