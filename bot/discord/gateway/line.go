package gateway

import (
	"context"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// line is a connection to the gateway: a websocket, or a fake one of a test.
type line interface {
	// ReadMessage returns the next frame, at most maxFrame long. It fails for good when the
	// line has ended: with a *websocket.CloseError if the other side closed it.
	ReadMessage() (kind int, frame []byte, err error)
	// write sends a frame. It may be called while another goroutine reads, but by one
	// goroutine at a time.
	write(frame []byte) error
	// close ends the line, so that a read in progress fails. With code 0 the read fails at once, and the session can be
	// resumed. Any other code is sent, and the read has closeTime to see the other side's close. close may be called again.
	close(code int)
}

// maxFrame is the longest frame that is read. An interaction has some kilobytes, READY some 60 bytes for each of at most 2500
// servers.
const maxFrame = 8 << 20

// websocketLine is a line over the network.
type websocketLine struct{ *websocket.Conn }

const (
	writeTime = 10 * time.Second // how long a frame may take to be sent
	closeTime = time.Second      // how long the other side may take to close the line too
)

// dial connects to the gateway at an address.
func dial(ctx context.Context, address string) (line, error) {
	d := websocket.Dialer{Proxy: http.ProxyFromEnvironment}
	ws, _, err := d.DialContext(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(maxFrame)
	return &websocketLine{ws}, nil
}

func (l *websocketLine) write(frame []byte) error {
	if err := l.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	return l.WriteMessage(websocket.TextMessage, frame)
}

func (l *websocketLine) close(code int) {
	if code != 0 {
		until := time.Now().Add(closeTime)
		err := l.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), until)
		if err == nil && l.SetReadDeadline(until) == nil {
			return
		}
	}
	// Closing a socket fails only if it is closed already.
	_ = l.Conn.Close()
}
