package bot

import "context"

// Picture is what a front that can show pictures shows with the lines. Lines with the
// same content are [Line].Pictured, and are shown only without the picture.
type Picture struct {
	Name string // of the file, such as "table.png"
	Alt  string // what it shows in words, 1 to 1024 characters
	// Draw returns it as PNG, in these colours. It must return soon after ctx ends. It may
	// be called in another goroutine than the one that made the reply, once or never.
	Draw func(ctx context.Context, c Colours) ([]byte, error)
}
