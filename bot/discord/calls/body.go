package calls

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/textproto"
)

// WithFile is a body that may come with a file.
type WithFile interface {
	// File returns the file's name and content, a PNG; an empty name for none.
	File() (name string, content []byte)
}

// Encode returns the body of a request or response and its type, with the file, if any.
// Nil has an empty body. See discord.com/developers/docs/reference#uploading-files.
func Encode(body any) (payload []byte, contentType string, err error) {
	contentType = "application/json"
	if body == nil {
		return nil, contentType, nil
	}
	if payload, err = json.Marshal(body); err != nil {
		return nil, "", err
	}
	with, ok := body.(WithFile)
	if !ok {
		return payload, contentType, nil
	}
	name, png := with.File()
	if name == "" {
		return payload, contentType, nil
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, part := range []struct {
		disposition, contentType string
		content                  []byte
	}{
		{`form-data; name="payload_json"`, contentType, payload},
		{multipart.FileContentDisposition("files[0]", name), "image/png", png},
	} {
		into, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {part.disposition}, "Content-Type": {part.contentType}})
		if err != nil {
			return nil, "", err
		}
		if _, err := into.Write(part.content); err != nil {
			return nil, "", err
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return b.Bytes(), w.FormDataContentType(), nil
}
