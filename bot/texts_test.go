package bot_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

var (
	// notForPlayers are folders and files without texts for players, and silent are calls whose texts players don't see.
	notForPlayers = regexp.MustCompile(`^(testdata|toy|canvas|clue|metrics|admin|admission|discord|tty|command\.go|.*test|.*_test\.go)$`)
	silent        = regexp.MustCompile(`\b(New|Errorf|Debug|Info|Warn|Error|panic|Slash|MustCompile|Format|NewReplacer|mustBoard)$`)
	// joined are calls whose result has the texts of their arguments, and a text has a word.
	joined = regexp.MustCompile(`\b(Text|With|Bold|Spoiler|Emoji|Plural|List|Join|Mono|Decline)$`)
	text   = regexp.MustCompile(`\pL{3}.* | .*\pL{3}|^\p{Lu}\pL{2}`)
	// avoided are words that we say otherwise.
	avoided = regexp.MustCompile(`(?i)\b(black|attempts?|cannot|whoever|(is|are|has|have|do|does|did) not|narrowing)\b|’`)
)

// TestTexts lists the texts that players read, with "…" for what is filled in. None has a word that we say otherwise.
//
//	go test ./bot -run TestTexts -v
func TestTexts(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && notForPlayers.MatchString(d.Name()) {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".go" || notForPlayers.MatchString(d.Name()) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if c, ok := e.(*ast.CallExpr); ok && silent.MatchString(types.ExprString(c.Fun)) {
				return false
			}
			said := textOf(e)
			if !text.MatchString(said) {
				return true
			}
			found++
			if t.Logf("%s: %s", path, said); avoided.MatchString(said) {
				t.Errorf("%s: we say otherwise %q", path, avoided.FindString(said))
			}
			return false
		})
		return nil
	})
	if err != nil || found < 300 {
		t.Errorf("%d texts, %v", found, err)
	}
}

// textOf returns the text of an expression, with "…" for each part that isn't written in it.
func textOf(e ast.Expr) (all string) {
	switch e := e.(type) {
	case *ast.BasicLit:
		said, _ := strconv.Unquote(e.Value) // empty for a number
		return said
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	case *ast.CallExpr:
		if name := types.ExprString(e.Fun); name == "fmt.Sprintf" {
			return textOf(e.Args[0])
		} else if joined.MatchString(name) {
			for _, arg := range e.Args {
				all += textOf(arg)
			}
			return all
		}
	}
	return "…"
}
