package bot_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var (
	// notForPlayers are folders without texts for players, and silent are functions whose texts players don't see.
	notForPlayers = []string{"testdata", "bottest", "commandstest", "discordtest", "toy", "canvas", "metrics", "admin", "admission", "application", "boardmessage", "calls", "endpoint", "gateway", "tty"}
	silent        = []string{"New", "Errorf", "Debug", "Info", "Warn", "Error", "panic", "Slash", "MustCompile", "Format", "NewReplacer"}
	// joined are functions whose result has the texts of their arguments.
	joined = []string{"Text", "With", "Sprintf", "Bold", "Spoiler", "Emoji", "Plural", "List", "Join", "Mono", "Decline"}
	// avoided are words that players don't read: see ../shared/design/WORDS.md.
	avoided = regexp.MustCompile(`(?i)\b(black|whoever|do not|did not|has not|narrowing)\b`)
)

// TestTexts lists all texts that players can read, by file, with "…" for what is filled in:
//
//	go test ./bot -run TestTexts -v
//
// None has a word that we say otherwise.
func TestTexts(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && slices.Contains(notForPlayers, d.Name()) {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec, *ast.IndexExpr, *ast.Field:
				return false
			case *ast.CallExpr:
				if slices.Contains(silent, called(n)) {
					return false
				}
			}
			e, ok := n.(ast.Expr)
			text := ""
			if ok {
				text = textOf(e)
			}
			if strings.Trim(text, "… ") == "" {
				return true
			}
			if strings.Contains(text, " ") || unicode.IsUpper([]rune(text)[0]) && len(text) > 2 {
				found++
				t.Logf("%s: %s", path, text)
				if word := avoided.FindString(text); word != "" {
					t.Errorf("%s says %q: %s", path, word, text)
				}
			}
			return false
		})
		return nil
	})
	if err != nil || found < 300 {
		t.Errorf("%d texts, %v", found, err)
	}
}

func called(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// textOf returns the text of an expression, with "…" for each part that isn't written in it.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); e.Kind == token.STRING && err == nil {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return textOf(e.X) + textOf(e.Y)
		}
	case *ast.CallExpr:
		if slices.Contains(joined, called(e)) {
			text := ""
			for _, arg := range e.Args {
				text += textOf(arg)
			}
			return text
		}
	}
	return "…"
}
