package calls

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"mime/multipart"
	"net/textproto"
	"path"
)

// WithFile is a body that may come with a file.
type WithFile interface {
	// File returns the file's name, whose ending tells its type, and its content; an empty name for none.
	File() (name string, content []byte)
}

// Encode returns body as the payload of a request or response, and the content type. A body [WithFile] comes with its file. A
// nil body has an empty payload. See discord.com/developers/docs/reference#uploading-files.
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
	name, content := with.File()
	if name == "" {
		return payload, contentType, nil
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	err = w.WriteField("payload_json", string(payload))
	into, failed := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition("files[0]", name)}, "Content-Type": {mime.TypeByExtension(path.Ext(name))},
	})
	if failed == nil {
		_, failed = into.Write(content)
	}
	err = errors.Join(err, failed, w.Close())
	return b.Bytes(), w.FormDataContentType(), err
}
