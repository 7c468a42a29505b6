package discordtest

import (
	"encoding/json"
	"slices"
)

// message is a message as players see it. Server.mu protects it.
type message struct {
	id          string
	channel     string
	content     string
	components  json.RawMessage
	attachments []attachment
	flags       int
	loading     bool // a deferred answer: "is thinking…"
	edited      bool
	deleted     bool
	author      string // "" is the bot
	posted      bool   // by the bot in the channel, not as an answer
}

type attachment struct {
	id string
	File
}

const (
	flagSuppressEmbeds        = 1 << 2
	flagEphemeral             = 1 << 6
	flagLoading               = 1 << 7
	flagSuppressNotifications = 1 << 12
)

// clone returns a copy on which changes can be tried.
func (m *message) clone() *message {
	n := *m
	n.attachments = slices.Clone(m.attachments)
	return &n
}

// apply changes m as a body does: what the body leaves out stays, files are
// added to those that were there unless `attachments` says which to keep.
func (m *message) apply(s *Server, b *body, files []File) {
	if b.Content.set {
		m.content = b.Content.value
	}
	if b.Components != nil {
		m.components = listOrNil(b.Components)
	}
	if b.Flags.set {
		// Whether it is private cannot be changed.
		m.flags = m.flags&flagEphemeral | b.Flags.value&^flagEphemeral
	}
	if b.Attachments.set {
		kept := m.attachments[:0]
		for _, a := range m.attachments {
			for _, want := range b.Attachments.value {
				if want.ID.text == a.id {
					if want.Description != nil {
						a.Description = *want.Description
					}
					kept = append(kept, a)
				}
			}
		}
		m.attachments = kept
	}
	for _, f := range files {
		m.attachments = append(m.attachments, attachment{s.ids.next(), f})
	}
	m.loading = false
}

// listOrNil is nil for null and for the empty list.
func listOrNil(list json.RawMessage) json.RawMessage {
	if s := string(list); s == "null" || s == "[]" {
		return nil
	}
	return list
}

// empty reports whether there is nothing to see, which Discord refuses.
func (m *message) empty() bool {
	return m.content == "" && m.components == nil && len(m.attachments) == 0
}

// object is the message as Discord returns it.
func (m *message) object(s *Server) object {
	list := func(l json.RawMessage) any {
		if l == nil {
			return []object{}
		}
		return l
	}
	attachments := []object{}
	for _, a := range m.attachments {
		o := object{
			"id": a.id, "filename": a.Name, "size": len(a.Data), "content_type": a.ContentType,
			"url": s.http.URL + "/attachments/" + a.id + "/" + a.Name, "proxy_url": s.http.URL + "/attachments/" + a.id + "/" + a.Name,
		}
		if a.Description != "" {
			o["description"] = a.Description
		}
		attachments = append(attachments, o)
	}
	flags := m.flags
	if m.loading {
		flags |= flagLoading
	}
	o := object{
		"id": m.id, "channel_id": m.channel, "type": 20, "author": s.botUser(),
		"content": m.content, "embeds": []object{}, "components": list(m.components), "attachments": attachments,
		"flags": flags, "mentions": []object{}, "mention_roles": []string{}, "mention_everyone": false, "pinned": false,
		"tts": false, "timestamp": timeOf(m.id), "edited_timestamp": nil,
	}
	switch {
	case m.author != "":
		o["type"], o["author"] = 0, userObject(m.author, "somebody")
	case m.posted:
		o["type"] = 0
	default:
		o["application_id"], o["webhook_id"] = s.appID, s.appID
	}
	if m.edited {
		o["edited_timestamp"] = timeOf(s.ids.next())
	}
	return o
}

// timeOf is the time in an id, as Discord writes times.
func timeOf(id string) string { return discordTime(madeAt(id).UnixMilli()) }
