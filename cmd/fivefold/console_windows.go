package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/inconshreveable/mousetrap"
)

// keepWindow waits for Enter if the program was double-clicked: its window closes when it
// ends, and with it goes what it says.
func keepWindow() {
	if !mousetrap.StartedByExplorer() {
		return
	}
	fmt.Fprint(os.Stderr, "\nPress Enter to close this window. ")
	// At the end of the input there is nobody to wait for.
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}
