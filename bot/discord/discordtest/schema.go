package discordtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// openAPI is Discord's own description of its API, whose schemas are JSON
// Schema 2020-12. Schemas are compiled when they are first needed: the
// document has 1.2 MB, and we use only about ten of them.
type openAPI struct {
	mu       sync.Mutex // protects the compiler, which is not safe for concurrent use
	compiler *jsonschema.Compiler
}

const openAPIName = "discord-openapi.json"

// loadOpenAPI reads the description once per process. It is nil if it is absent. It is in ../shared/data, seen
// from the folder of go.mod; tests run in or below that folder.
var loadOpenAPI = sync.OnceValues(func() (*openAPI, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	b, err := os.ReadFile(filepath.Join(dir, "..", "shared", "data", openAPIName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	doc, invalid := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	return &openAPI{compiler: c}, errors.Join(err, invalid, c.AddResource(openAPIName, doc))
})

// against adds what is wrong, according to the description, with a body that a bot sends, unless
// there is a problem of ours, which reads better.
func (k *checker) against(o *openAPI, name string, raw json.RawMessage) {
	if o == nil || len(k.problems) > 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		loosen(v)
		var schema *jsonschema.Schema
		if schema, err = o.compiler.Compile(openAPIName + "#/components/schemas/" + name); err == nil { // at once, but for the first time
			err = schema.Validate(v)
		}
	}
	if err != nil {
		k.bad("", "the description of Discord's API: %v", err)
	}
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
