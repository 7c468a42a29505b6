package discordtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Transport is a Discord without a network or memory. It gets each call and returns the id of the message, if any. An error
// other than a [Refusal] cuts the connection.
type Transport func(Made) (id string, err error)

// Made is a call that was made to a [Transport].
type Made struct {
	// What is "respond", "edit" (by a token), "delete" (by a token, or by the bot if Token is empty), "look" (for a
	// message's id), "follow", "post" (by the bot) or "patch" (by the bot).
	What    string
	ID      string // of the interaction that is responded to
	Token   string
	Target  string // the message
	New     bool   // whether the call asks for the id of the first response
	Body    []byte
	File    string // the name of the file that comes with the body
	Type    int    // of a first response
	Content string // what all text displays say, a line or more each
	Flags   int
}

// Refusal is a status with which Discord refuses a call, and its code for the reason.
type Refusal struct{ Status, Code int }

func (r Refusal) Error() string { return fmt.Sprintf("%d (%d)", r.Status, r.Code) }

// RoundTrip implements [http.RoundTripper].
func (f Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	m := Made{New: r.URL.RawQuery != ""}
	part := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v9/"), "/")
	switch {
	case part[0] == "interactions":
		m.What, m.ID, m.Token = "respond", part[1], part[2]
	case part[0] == "webhooks":
		m.Token = part[2]
		m.What = map[string]string{http.MethodPost: "follow", http.MethodPatch: "edit", http.MethodDelete: "delete", http.MethodGet: "look"}[r.Method]
	case part[0] == "channels":
		m.What = map[string]string{http.MethodPost: "post", http.MethodPatch: "patch", http.MethodDelete: "delete"}[r.Method]
	}
	if len(part) > 3 && part[0] != "interactions" {
		m.Target = part[len(part)-1]
	}
	if err := m.read(r); err != nil {
		return nil, err
	}
	id, err := f(m)
	refused, isRefusal := err.(Refusal)
	if err != nil && !isRefusal {
		return nil, err
	}
	body := fmt.Sprintf(`{"id":%q,"interaction":{"response_message_id":%[1]q}}`, id)
	if isRefusal {
		body = fmt.Sprintf(`{"code":%d}`, refused.Code)
	}
	status := cmp.Or(refused.Status, http.StatusOK)
	return &http.Response{StatusCode: status, Status: fmt.Sprint(status), Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// read reads the body.
func (m *Made) read(r *http.Request) error {
	if r.Body == nil {
		return nil
	}
	sent, err := io.ReadAll(r.Body)
	if err != nil || len(sent) == 0 {
		return err
	}
	var files []File
	if m.Body, files, err = readBody(r.Header, sent); err != nil {
		return err
	}
	for _, f := range files {
		m.File = f.Name
	}
	var said struct {
		Type int  `json:"type"`
		Data body `json:"data"`
		body
	}
	if err = json.Unmarshal(m.Body, &said); err != nil {
		return err
	}
	m.Type = said.Type
	for _, b := range []body{said.body, said.Data} {
		m.Content += TextOf(b.Components)
		m.Flags |= b.flags()
	}
	return nil
}

// RoundTrip implements [http.RoundTripper]: it calls the fake without a network, also in a testing/synctest bubble if the
// fake was made outside.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	r = r.Clone(r.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	s.http.Config.Handler.ServeHTTP(w, r)
	return w.Result(), nil
}
