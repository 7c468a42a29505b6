package discordtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			path := filepath.Join(dir, "..", "shared", "data", openAPIName)
			if _, err := os.Stat(path); err != nil {
				return "", nil
			}
			return path, nil
		}
	}
	return "", err
}

// against adds what is wrong, according to the description, with a body that a bot sends, unless
// there is a problem of ours, which reads better.
func (k *checker) against(o *openAPI, name string, raw json.RawMessage) {
	if o == nil || len(k.problems) > 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	key := sha256.Sum256(append([]byte(name+"\x00"), raw...))
	if o.fitting[key] {
		return
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		loosen(v)
		err = o.validateLocked(name, v)
	}
	if err != nil {
		k.bad("", "the description of Discord's API: %v", err)
		return
	}
	if len(o.fitting) >= maxFitting {
		clear(o.fitting)
	}
	o.fitting[key] = true
}

// validateLocked returns what is wrong with a value according to the description.
func (o *openAPI) validateLocked(name string, v any) error {
	s := o.compiled[name]
	if s == nil {
		var err error
		if s, err = o.compiler.Compile(openAPIName + "#/components/schemas/" + name); err != nil {
			return err
		}
		o.compiled[name] = s
	}
	return s.Validate(v)
}

// loosen rewrites what Discord takes in two forms into the one its description
// knows: the ids of attachments may be numbers.
func loosen(v any) {
	o, ok := v.(object)
	if !ok {
		return
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
