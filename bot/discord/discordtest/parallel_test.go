package discordtest

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
)

// TestManyAtOnce answers and edits many interactions at the same time, while
// the gateway breaks; the race detector is the judge.
func TestManyAtOnce(t *testing.T) {
	s, g := connected(t, Options{})
	ctx := Context(t)
	go func() {
		for { // the interactions are read and thrown away
			if _, _, err := g.ws.ReadMessage(); err != nil {
				return
			}
		}
	}()
	const n = 100
	var wg sync.WaitGroup
	for i := range n {
		call := s.Invoke(Interaction{Command: fmt.Sprint("c", i)})
		wg.Go(func() {
			path := "interactions/" + call.ID() + "/" + call.Token() + "/callback"
			if status, _, answer := post(t, s, "POST", path, `{"type":5}`); status != 204 {
				t.Errorf("got %d %s", status, answer)
			}
			post(t, s, "PATCH", "webhooks/"+s.AppID()+"/"+call.Token()+"/messages/@original", `{"content":"x",`+quiet+`}`)
		})
		wg.Go(func() {
			if a, err := call.Message(ctx); err != nil || a.Content != "x" {
				t.Errorf("got %+v, %v", a, err)
			}
		})
		if i == n/2 {
			s.CloseGateway(4000, "")
		}
	}
	wg.Wait()
	if err := s.WaitRequests(ctx, 2*n); err != nil {
		t.Error(err)
	}
}

// TestNothingStays starts and ends fakes with connections of every state, and
// counts goroutines.
func TestNothingStays(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 5 {
		t.Run("", func(t *testing.T) {
			s, _ := connected(t, Options{})
			dialGateway(t, s, "v=9&encoding=json") // never identifies
			s.MuteHello(true)
			dialGateway(t, s, "v=9&encoding=json")
			s.CloseGateway(4000, "") // nobody reads these closes
			s.MuteHello(false)
			dialGateway(t, s, "v=9&encoding=json")
			s.Close()
		})
	}
	// The idle connections of http.DefaultClient, with two goroutines each, are not
	// ours. What is closing already may need some time on a busy machine.
	for end := time.Now().Add(5 * time.Minute); runtime.NumGoroutine() > before+5 && time.Now().Before(end); {
		runtime.Gosched()
	}
	if after := runtime.NumGoroutine(); after > before+5 {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after:\n%s", before, after, buf[:runtime.Stack(buf, true)])
	}
}
