package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/inconshreveable/mousetrap"

	"fivefold/bot/terminal/tty"
)

// prepareConsole makes the console understand the codes for colours and for moving the cursor. Go
// itself writes text to a console in UTF-16, whatever the code page.
func prepareConsole() {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		tty.HasColours(f, nil) // turns them on in a console
	}
}

// keepWindow waits for Enter if the program was double-clicked, since the window closes with it.
func keepWindow() {
	if !mousetrap.StartedByExplorer() {
		return
	}
	fmt.Fprint(os.Stderr, "\nPress Enter to close this window. ")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}
