// Package fivefold_test checks what holds for the repository as a whole.
package fivefold_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport is what each package may import of
// ours, tests aside. Imports point one way.
var mayImport = map[string][]string{
	"game":                            {"game/marks"},
	"game/boards":                     {"game/marks", "game/wordle"},
	"game/evil":                       {"game/marks", "game/wordle"},
	"game/finished":                   {"game", "game/matches"},
	"game/league":                     {"game", "game/marks"},
	"game/marks":                      {},
	"game/shares":                     {"game", "game/league", "game/marks"},
	"game/matches":                    {"game", "game/marks", "game/work"},
	"game/pokle":                      {"game/marks"},
	"game/statistics":                 {"game"},
	"game/wordle":                     {"game/marks", "game/wordle/dictionary"},
	"game/wordle/dictionary":          {},
	"game/wordle/dictionary/generate": {},
	"game/wordle/wordletest":          {"game/wordle"},
	"game/work":                       {"game"},
	"solver/optimal":                  {"game/marks", "game/wordle", "solver/entropy", "solver/grade", "solver/lexicon", "solver/parallel", "solver/partition", "solver/search", "solver/trees"},
	"solver/poker":                    {"game/pokle", "solver/cache", "solver/entropy", "solver/grade", "solver/parallel"},
	"solver/cache":                    {},
	"solver/dodge":                    {"game", "game/evil", "game/wordle", "solver/cache", "solver/grade", "solver/lexicon", "solver/parallel", "solver/partition"},
	"solver/entropy":                  {},
	"solver/grade":                    {"game", "game/marks"},
	"solver/lexicon":                  {"game/marks", "game/wordle", "solver/transposition"},
	"solver/multi":                    {"game", "game/boards", "game/marks", "game/wordle", "solver/grade", "solver/lexicon", "solver/parallel", "solver/partition"},
	"solver/parallel":                 {},
	"solver/partition":                {"game/wordle", "solver/entropy", "solver/lexicon"},
	"solver/search":                   {"game/marks", "game/wordle", "solver/lexicon", "solver/partition", "solver/transposition"},
	"solver/simulate":                 {"game/marks", "game/wordle", "solver/optimal", "solver/parallel", "solver/partition"},
	"solver/solve":                    {"game", "game/boards", "game/marks", "game/pokle", "game/wordle", "solver/multi", "solver/optimal", "solver/poker", "solver/parallel", "solver/weighted"},
	"solver/solvertest":               {"game/marks", "game/wordle"},
	"solver/transposition":            {},
	"solver/trees":                    {"game/marks", "game/wordle", "solver/partition"},
	"solver/weighted":                 {"game/marks", "game/wordle", "solver/cache", "solver/optimal", "solver/grade", "solver/lexicon", "solver/parallel", "solver/partition", "solver/transposition", "solver/trees"},
	"storage":                         {"game", "game/finished", "game/league", "game/matches", "game/statistics", "game/work", "solver/solve", "storage/bolt", "storage/check", "storage/engine", "storage/ordered", "storage/record", "storage/schema", "storage/transfer"},
	"storage/backup":                  {"storage/durable"},
	"storage/bolt":                    {"game", "storage/durable", "storage/ordered"},
	"storage/bolt/powerloss":          {},
	"storage/check":                   {"game", "game/league", "game/statistics", "game/work", "storage/bolt", "storage/ordered", "storage/record", "storage/schema"},
	"storage/durable":                 {},
	"storage/engine":                  {"storage/bolt", "storage/ordered", "storage/postgres"},
	"storage/ordered":                 {"game"},
	"storage/ordered/orderedtest":     {"game", "storage/ordered"},
	"storage/postgres":                {"game", "storage/ordered"},
	"storage/postgres/postgrestest":   {"storage/postgres"},
	"storage/record":                  {"game", "game/marks", "solver/grade"},
	"storage/schema":                  {"game", "game/finished", "game/league", "game/statistics", "solver/solve", "storage/ordered", "storage/record"},
	"storage/transfer":                {"game", "storage/engine", "storage/ordered", "storage/schema"},
	"bot":                             {"game", "game/marks"},
	"bot/admin":                       {},
	"bot/admission":                   {},
	"bot/bottest":                     {"bot", "game"},
	"bot/canvas":                      {},
	"bot/clue":                        {"game/wordle/dictionary"},
	"bot/commands":                    {"bot", "bot/daily", "bot/daypost", "bot/face", "bot/history", "bot/kinds", "bot/league", "bot/play", "bot/preferences", "bot/privacy", "bot/race", "bot/settings", "game", "game/finished", "game/league", "game/matches", "game/statistics"},
	"bot/commands/commandstest":       {"bot/commands", "bot/kinds", "bot/preferences", "bot/solve", "game/finished", "game/matches", "game/wordle", "solver/dodge", "solver/multi", "solver/poker", "solver/optimal", "solver/solve", "solver/weighted", "storage"},
	"bot/daily":                       {"bot", "bot/face", "bot/picture", "bot/play", "game", "game/finished", "game/matches", "game/statistics"},
	"bot/daypost":                     {"bot", "bot/face", "bot/picture", "bot/settings", "game", "game/finished", "game/league", "game/matches", "game/statistics", "game/work", "storage/record"},
	"bot/discord":                     {"bot", "bot/admission", "bot/discord/application", "bot/discord/boardmessage", "bot/discord/calls", "bot/discord/endpoint", "bot/discord/gateway", "bot/discord/interaction", "game", "game/work", "solver/parallel"},
	"bot/discord/application":         {"bot", "bot/discord/calls", "bot/discord/endpoint", "bot/discord/interaction", "bot/picture", "game"},
	"bot/discord/boardmessage":        {"bot", "bot/discord/calls", "bot/discord/interaction", "game", "game/work"},
	"bot/discord/calls":               {"game/work"},
	"bot/discord/discordtest":         {},
	"bot/discord/endpoint":            {"bot/discord/calls", "game/work"},
	"bot/discord/gateway":             {"bot/discord/calls", "bot/discord/interaction", "game/work"},
	"bot/discord/interaction":         {"bot", "bot/discord/calls", "bot/discord/endpoint", "bot/picture", "game", "game/marks", "solver/parallel"},
	"bot/face":                        {"bot", "bot/picture", "game", "game/marks", "game/matches", "solver/grade"},
	"bot/history":                     {"bot", "bot/face", "bot/picture", "bot/settings", "game", "game/finished", "game/league", "game/marks", "game/matches", "game/statistics"},
	"bot/kinds":                       {"bot", "bot/face", "bot/kinds/boardsgame", "bot/kinds/evilgame", "bot/kinds/pokergame", "bot/kinds/wordgame", "bot/solve", "game", "game/wordle", "solver/dodge", "solver/multi", "solver/optimal", "solver/poker", "storage/record"},
	"bot/kinds/boardsgame":            {"bot", "bot/face", "bot/kinds/wordgame", "bot/picture", "game", "game/boards", "game/wordle", "solver/grade", "solver/multi", "solver/parallel", "storage/record"},
	"bot/kinds/evilgame":              {"bot", "bot/face", "bot/kinds/wordgame", "game", "game/evil", "game/marks", "game/wordle", "solver/dodge", "solver/grade", "solver/parallel", "storage/record"},
	"bot/kinds/pokergame":             {"bot", "bot/face", "bot/picture", "game", "game/pokle", "solver/poker", "solver/parallel", "storage/record"},
	"bot/kinds/toy":                   {"bot", "bot/face", "bot/kinds", "game", "game/marks", "solver/grade", "storage/record"},
	"bot/kinds/wordgame":              {"bot", "bot/clue", "bot/face", "game", "game/marks", "game/wordle", "solver/optimal", "solver/parallel", "storage/record"},
	"bot/league":                      {"bot", "bot/face", "game", "game/league", "game/shares"},
	"bot/metrics":                     {"bot/admission", "bot/discord", "bot/discord/endpoint", "solver/parallel"},
	"bot/picture":                     {"bot/canvas", "game/marks", "game/pokle"},
	"bot/play":                        {"bot", "bot/face", "bot/settings", "game", "game/finished", "game/matches", "game/statistics"},
	"bot/preferences":                 {"bot", "bot/face", "game", "storage/record"},
	"bot/privacy":                     {"bot", "game/finished"},
	"bot/race":                        {"bot", "bot/clue", "bot/face", "bot/play", "game", "game/marks", "game/matches"},
	"bot/settings":                    {"bot", "bot/face", "game", "game/marks", "storage/record"},
	"bot/solve":                       {"bot", "bot/face", "bot/kinds/pokergame", "bot/kinds/wordgame", "bot/picture", "game", "game/boards", "game/marks", "game/pokle", "game/wordle", "solver/optimal", "solver/poker", "solver/solve", "solver/weighted"},
	"bot/typed":                       {"bot", "game/marks"},
	"bot/terminal":                    {"bot", "bot/face", "bot/terminal/tty", "bot/typed", "game", "game/marks", "game/matches", "storage/durable"},
	"bot/terminal/tty":                {},
	"cmd/fivefold":                    {"bot/terminal/tty", "cmd/fivefold/cli", "cmd/fivefold/data", "cmd/fivefold/licences", "cmd/fivefold/play", "cmd/fivefold/serve", "cmd/fivefold/settings", "cmd/fivefold/solve", "cmd/fivefold/workshop"},
	"cmd/fivefold/app":                {"bot", "bot/commands", "bot/kinds", "bot/preferences", "bot/solve", "bot/terminal", "bot/terminal/tty", "cmd/fivefold/cli", "cmd/fivefold/settings", "game", "game/finished", "game/matches", "game/wordle", "solver/dodge", "solver/multi", "solver/optimal", "solver/poker", "solver/parallel", "solver/solve", "solver/weighted", "storage", "storage/backup", "storage/bolt", "storage/check", "storage/engine", "storage/postgres", "storage/record", "storage/transfer"},
	"cmd/fivefold/cli":                {"bot/terminal/tty", "game", "game/marks", "game/wordle", "storage/bolt", "storage/durable"},
	"cmd/fivefold/data":               {"bot/admin", "bot/kinds", "cmd/fivefold/app", "cmd/fivefold/cli", "cmd/fivefold/settings", "game", "storage", "storage/bolt", "storage/check", "storage/durable", "storage/engine", "storage/postgres", "storage/transfer"},
	"cmd/fivefold/licences":           {"cmd/fivefold/cli"},
	"cmd/fivefold/licences/generate":  {},
	"cmd/fivefold/play":               {"bot", "bot/face", "bot/kinds", "bot/terminal", "bot/terminal/tty", "cmd/fivefold/app", "cmd/fivefold/cli", "cmd/fivefold/settings", "game", "game/marks", "solver/solve", "storage"},
	"cmd/fivefold/serve":              {"bot", "bot/admin", "bot/admission", "bot/commands", "bot/discord", "bot/discord/application", "bot/discord/calls", "bot/discord/endpoint", "bot/kinds", "bot/metrics", "cmd/fivefold/app", "cmd/fivefold/cli", "cmd/fivefold/settings", "game", "game/work", "storage", "storage/backup", "storage/bolt", "storage/engine", "storage/postgres"},
	"cmd/fivefold/settings":           {"bot/admin", "bot/discord/calls", "bot/discord/endpoint", "bot/discord/gateway", "bot/terminal/tty", "cmd/fivefold/cli", "game/wordle", "solver/trees", "storage", "storage/engine"},
	"cmd/fivefold/solve":              {"bot", "bot/history", "bot/kinds/pokergame", "bot/kinds/wordgame", "bot/solve", "bot/terminal", "bot/typed", "cmd/fivefold/app", "cmd/fivefold/cli", "cmd/fivefold/settings", "game/evil", "game/marks", "game/pokle", "game/wordle", "solver/dodge", "solver/optimal", "solver/poker", "solver/solve", "solver/weighted"},
	"cmd/fivefold/workshop":           {"cmd/fivefold/cli", "cmd/fivefold/settings", "game/boards", "game/marks", "game/wordle", "solver/multi", "solver/optimal", "solver/simulate", "solver/trees", "solver/weighted"},
	"cmd/release":                     {},
	"cmd/soak":                        {"bot/discord/discordtest", "bot/kinds", "bot/kinds/wordgame", "game", "game/wordle", "storage", "storage/check", "storage/postgres/postgrestest"},
}

// onlyIn says in which packages, tests aside, a module of others may appear.
var onlyIn = map[string][]string{
	"github.com/bwmarrin/discordgo":        {"bot/discord", "bot/discord/application", "bot/discord/calls", "bot/discord/gateway", "bot/discord/interaction", "cmd/soak"},
	"github.com/gorilla/websocket":         {"bot/discord/discordtest", "bot/discord/gateway"},
	"go.etcd.io/bbolt":                     {"storage/bolt"},
	"github.com/jackc/pgx":                 {"storage/postgres", "storage/postgres/postgrestest"},
	"github.com/joho/godotenv":             {"cmd/fivefold/settings"},
	"github.com/inconshreveable/mousetrap": {"cmd/fivefold"},
	"github.com/spf13/cobra":               {"cmd/fivefold", "cmd/fivefold/cli", "cmd/fivefold/data", "cmd/fivefold/licences", "cmd/fivefold/play", "cmd/fivefold/serve", "cmd/fivefold/settings", "cmd/fivefold/solve", "cmd/fivefold/workshop"},
	"github.com/spf13/pflag":               {"cmd/fivefold/cli"},
	"github.com/VictoriaMetrics":           {"bot/metrics"},
	"github.com/TwiN/go-away":              {"bot/clue"},
	"github.com/agnivade/levenshtein":      {"bot/settings", "cmd/fivefold/settings"},
	"golang.org/x/image":                   {"bot/canvas"},
	"golang.org/x/sync":                    {"bot/discord", "bot/discord/calls", "bot/discord/gateway", "cmd/soak"},
	"golang.org/x/sys":                     {"bot/terminal/tty", "storage/backup", "storage/durable", "storage/postgres"},
	"golang.org/x/term":                    {"bot/terminal/tty"},
	"golang.org/x/text":                    {"bot/canvas", "bot/clue", "bot/settings"},
	"charm.land":                           {"bot/terminal"},
	"github.com/charmbracelet":             {"bot/terminal", "bot/terminal/tty"},
	"github.com/rogpeppe/go-internal":      {},
}

// file is a Go file of the repository.
type file struct {
	pkg  string // its folder, with slashes
	name string
	test bool
	*ast.File
}

func files(t *testing.T) []file {
	t.Helper()
	var all []file
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		all = append(all, file{path.Dir(filepath.ToSlash(name)), name, strings.HasSuffix(name, "_test.go"), parsed})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func imports(f file) []string {
	var paths []string
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			panic(err) // the parser let it through
		}
		paths = append(paths, p)
	}
	return paths
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range files(t) {
		if f.test {
			continue
		}
		seen[f.pkg] = true
		allowed, listed := mayImport[f.pkg]
		if !listed {
			t.Errorf("%s is in no row of the table", f.pkg)
		}
		for _, p := range imports(f) {
			if ours, ok := strings.CutPrefix(p, "fivefold/"); ok {
				if !slices.Contains(allowed, ours) {
					t.Errorf("%s must not import %s", f.name, ours)
				}
				continue
			}
			first, _, _ := strings.Cut(p, "/")
			if !strings.Contains(first, ".") {
				continue // the standard library
			}
			home := ""
			for module, packages := range onlyIn {
				if p == module || strings.HasPrefix(p, module+"/") {
					home = module
					if !slices.Contains(packages, f.pkg) {
						t.Errorf("%s must not import %s", f.name, p)
					}
				}
			}
			if home == "" {
				t.Errorf("%s imports %s, which is in no row of the table", f.name, p)
			}
		}
	}
	for pkg := range mayImport {
		if !seen[pkg] {
			t.Errorf("the table has %s, which does not exist", pkg)
		}
	}
}

// knowKinds are the packages that may know which kinds of games there are, with those below them: what
// is of one kind, what helps with its puzzles, and what puts the program together or tries it.
var knowKinds = []string{
	"game/boards", "game/evil", "game/pokle", "game/wordle", "solver", "bot/kinds", "bot/picture", "bot/solve", "storage/record",
	"bot/commands/commandstest",
	"cmd/fivefold/app", "cmd/fivefold/cli", "cmd/fivefold/play", "cmd/fivefold/settings", "cmd/fivefold/solve", "cmd/fivefold/workshop", "cmd/soak",
}

// mayWrite are files that have the names of kinds or the signs of suits for other reasons: tests type commands, Discord
// would change the signs, and the newspaper's puzzle has the same name.
var mayWrite = []string{"bot/bottest/bottest.go", "bot/discord/interaction/markdown.go", "game/shares/shares.go"}

// TestNobodyTellsKindsApart: all other packages neither name a kind nor tell kinds apart by the type of
// a state, by a noun, by the signs of suits, or by whether there is a picture where that is not what
// matters. So one more kind is a room, an entry in bot/kinds, and a change of nothing else.
func TestNobodyTellsKindsApart(t *testing.T) {
	excused := map[string]bool{}
	for _, f := range files(t) {
		name := filepath.ToSlash(f.name)
		if f.test || slices.ContainsFunc(knowKinds, func(pkg string) bool { return strings.HasPrefix(f.pkg+"/", pkg+"/") }) {
			continue
		}
		for _, p := range imports(f) {
			if strings.HasPrefix(p, "fivefold/bot/kinds/") || p == "fivefold/game/wordle" || p == "fivefold/game/pokle" || p == "fivefold/game/boards" {
				t.Errorf("%s knows a kind of game: it imports %s", name, p)
			}
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			excuse := slices.Contains(mayWrite, name)
			excused[name] = excused[name] || excuse && disguiseOf(n, f.pkg, false) != ""
			if disguise := disguiseOf(n, f.pkg, excuse); disguise != "" {
				t.Errorf("%s tells kinds of games apart: %s", name, disguise)
			}
			return true
		})
	}
	for _, name := range mayWrite {
		if !excused[name] {
			t.Errorf("%s need not be in mayWrite", name)
		}
	}
}

// disguiseOf returns how a node tells kinds of games apart, "" if it does not.
func disguiseOf(n ast.Node, pkg string, mayWrite bool) string {
	selects := func(e ast.Expr, name string) bool {
		s, ok := e.(*ast.SelectorExpr)
		return ok && s.Sel.Name == name
	}
	switch n := n.(type) {
	case *ast.TypeAssertExpr:
		if selects(n.X, "State") {
			return "it asserts the type of a state"
		}
	case *ast.BinaryExpr:
		if (n.Op == token.EQL || n.Op == token.NEQ) && (selects(n.X, "Noun") || selects(n.Y, "Noun")) {
			return "it compares a noun"
		}
	case *ast.SwitchStmt:
		if n.Tag != nil && selects(n.Tag, "Noun") {
			return "it switches by a noun"
		}
	case *ast.IndexExpr:
		if _, table := n.X.(*ast.Ident); table && (selects(n.Index, "Noun") || selects(n.Index, "Kind")) {
			return "it looks up what belongs to a kind"
		}
	case *ast.IfStmt:
		if selects(n.Cond, "ShowsAnswer") && pkg != "bot/face" {
			return "it asks what the board shows"
		}
	case *ast.BasicLit:
		text := strings.Trim(n.Value, "\"'`")
		switch first, _, _ := strings.Cut(text, " "); {
		case mayWrite:
		case (first == "wordle" || first == "pokle") && text != "wordle help":
			return "it has the name " + text
		case strings.ContainsAny(text, "♣♦♥♠"):
			return "it has the signs of suits"
		}
	}
	return ""
}

// TestEnvironment: nothing below cmd reads the environment, so a test or a
// second front can set everything. pgx does, so tests that name a database are without its variables.
func TestEnvironment(t *testing.T) {
	databases, without := map[string]bool{}, map[string]bool{} // test packages
	for _, f := range files(t) {
		if !f.test || f.pkg == "." {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && (strings.Contains(text.Value, "postgres://") || strings.Contains(text.Value, "postgresql://")) {
				databases[f.pkg] = true
			}
			return true
		})
		without[f.pkg] = without[f.pkg] || slices.Contains(imports(f), "fivefold/storage/postgres/postgrestest")
	}
	for pkg := range databases {
		if !without[pkg] {
			t.Errorf("tests of %s have the URL of a database, and do not import postgrestest", pkg)
		}
	}
	if len(databases) < 3 {
		t.Errorf("only %v have URLs of databases", databases)
	}
	readers := []string{"Getenv", "LookupEnv", "Environ", "UserHomeDir", "UserConfigDir", "UserCacheDir"}
	for _, f := range files(t) {
		if f.test || strings.HasPrefix(f.pkg, "cmd/") || f.pkg == "storage/postgres/postgrestest" {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(readers, s.Sel.Name) {
					t.Errorf("%s calls os.%s", f.name, s.Sel.Name)
				}
			}
			return true
		})
	}
}

// TestLogsNameTheRequest: whatever goes wrong with a request can be found in the log by the
// request's id.
func TestLogsNameTheRequest(t *testing.T) {
	aboutRequests := []string{"bot", "bot/face", "bot/history", "bot/play", "bot/solve"}
	found := 0
	for _, f := range files(t) {
		if f.test || !slices.Contains(aboutRequests, f.pkg) {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			s, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Debug", "Info", "Warn", "Error"}, s.Sel.Name) || len(call.Args) < 2 {
				return true
			}
			found++
			if !slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
				text, ok := arg.(*ast.BasicLit)
				return ok && (text.Value == `"request"` || text.Value == `"id"`)
			}) {
				t.Errorf("%s: a line of the log names no request", f.name)
			}
			return true
		})
	}
	if found == 0 {
		t.Error("nothing is logged")
	}
}

// TestPackageDocs: every package says once what it is.
func TestPackageDocs(t *testing.T) {
	docs := map[string]int{}
	for _, f := range files(t) {
		if !f.test {
			docs[f.pkg] += 0
			if f.Doc != nil {
				docs[f.pkg]++
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(docs)) {
		if docs[pkg] != 1 {
			t.Errorf("%s has %d package comments, want 1", pkg, docs[pkg])
		}
	}
}

// TestArchitectureNamesFiles: the files and folders that ARCHITECTURE.md names exist.
func TestArchitectureNamesFiles(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var paths strings.Builder
	err = fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		paths.WriteString("/" + path + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`((?:bot|cmd|docs|game|solver|storage)/[\\w./]+|[\\w./]+\\.go)`").FindAllStringSubmatch(string(text), -1)
	for _, name := range names {
		if !strings.Contains(paths.String(), "/"+name[1]+"\n") {
			t.Errorf("there is no %s", name[1])
		}
	}
	if len(names) < 50 {
		t.Errorf("it names %d files and folders", len(names))
	}
}
