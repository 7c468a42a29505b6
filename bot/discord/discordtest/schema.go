package discordtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// openAPI is Discord's own description of its API, whose schemas are JSON
// Schema 2020-12. Schemas are compiled when they are first needed: the
// document has 1.2 MB, and we use only about ten of them.
type openAPI struct {
	mu       sync.Mutex // protects all: the compiler is not safe for concurrent use
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
	fitting  map[[sha256.Size]byte]bool // hashes of names with bodies that fit: bots repeat themselves
}

// maxFitting is how many bodies are remembered.
const maxFitting = 1 << 14

const openAPIName = "discord-openapi.json"

// loadOpenAPI reads the description once per process. It is nil if it is absent.
var loadOpenAPI = sync.OnceValues(func() (*openAPI, error) {
	path, err := findOpenAPI()
	if path == "" {
		return nil, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", openAPIName, err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(openAPIName, doc); err != nil {
		return nil, err
	}
	return &openAPI{compiler: c, compiled: map[string]*jsonschema.Schema{}, fitting: map[[sha256.Size]byte]bool{}}, nil
})

// findOpenAPI returns the description's path, or "" if it is absent. It is in
// ../shared/data, seen from the folder of go.mod; tests run in or below that folder.
func findOpenAPI() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			path := filepath.Join(dir, "..", "shared", "data", openAPIName)
			if _, err := os.Stat(path); err != nil {
				return "", nil
			}
			return path, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
}

func (o *openAPI) schema(name string) (*jsonschema.Schema, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s := o.compiled[name]; s != nil {
		return s, nil
	}
	s, err := o.compiler.Compile(openAPIName + "#/components/schemas/" + name)
	if err == nil {
		o.compiled[name] = s
	}
	return s, err
}

// against adds what is wrong, according to the description, with a body that a bot sends. It
// leaves out places that already have a problem of ours, which reads better.
func (k *checker) against(o *openAPI, name string, raw json.RawMessage) {
	if o == nil {
		return
	}
	key := sha256.Sum256(append([]byte(name+"\x00"), raw...))
	if o.fits(key) {
		return
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		k.bad("", "%v", err)
		return
	}
	loosen(v)
	before := len(k.problems)
	k.validate(o, name, v)
	if before == 0 && len(k.problems) == 0 {
		o.remember(key)
	}
}

// fits reports whether this body is known to fit its schema.
func (o *openAPI) fits(key [sha256.Size]byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.fitting[key]
}

func (o *openAPI) remember(key [sha256.Size]byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.fitting) >= maxFitting {
		clear(o.fitting)
	}
	o.fitting[key] = true
}

// validate adds what is wrong with a value according to the description.
func (k *checker) validate(o *openAPI, name string, v any) {
	s, err := o.schema(name)
	if err != nil {
		k.bad("", "discordtest: %v", err)
		return
	}
	err = s.Validate(v)
	if err == nil {
		return
	}
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		k.bad("", "%v", err)
		return
	}
	for _, p := range explain(invalid) {
		if !slices.ContainsFunc(k.problems, func(q problem) bool { return q.where == p.where }) {
			k.problems = append(k.problems, p)
		}
	}
}

// loosen rewrites what Discord takes in two forms into the one its description
// knows: permissions are documented as text (the description says integer),
// attachment ids may be numbers.
func loosen(v any) {
	o, ok := v.(object)
	if !ok {
		return
	}
	if p, ok := o["default_member_permissions"].(string); ok && isSnowflake(p) {
		o["default_member_permissions"] = json.Number(p)
	}
	if list, ok := o["attachments"].([]any); ok {
		for _, a := range list {
			if a, ok := a.(object); ok {
				if n, ok := a["id"].(json.Number); ok {
					a["id"] = n.String()
				}
			}
		}
	}
	loosen(o["data"])
}

// explain lists what is wrong. Where several schemas are allowed, it reports only the
// problems with the one that the body seems to follow.
func explain(e *jsonschema.ValidationError) []problem {
	if len(e.Causes) == 0 {
		unit := e.BasicOutput()
		what := fmt.Sprint(unit.Error)
		return []problem{{strings.Join(e.InstanceLocation, "."), "the description of Discord's API: " + what}}
	}
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		best := slices.MinFunc(e.Causes, func(a, b *jsonschema.ValidationError) int {
			return strangeness(e, a) - strangeness(e, b)
		})
		return explain(best)
	}
	var all []problem
	for _, cause := range e.Causes {
		all = append(all, explain(cause)...)
	}
	return all
}

// strangeness is how far a schema is from what the body seems to follow: far if its
// `type` or kind of value is another.
func strangeness(choice, branch *jsonschema.ValidationError) int {
	here := strings.Join(choice.InstanceLocation, ".")
	n := 0
	for _, p := range explain(branch) {
		n++
		if p.where == here || p.where == under(here, "type") {
			n += 1000
		}
	}
	return n
}
