package dialect_test

import (
	"fmt"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/ollama"
)

// A dialect reads frames. Text passes at once. A call opens a slot, and its frames wait until the slot is ruled: then Rewrite says what
// goes out. Ollama has the smallest format.
func ExampleDialect() {
	d := ollama.Format().New(dialect.Options{MaxArguments: 1 << 20})
	type held struct {
		frame   frame.Frame
		reading dialect.Reading
	}
	var queue []held
	var slots []*dialect.Slot
	for _, line := range []string{
		`{"model":"m","message":{"role":"assistant","content":"On it."},"done":false}`,
		`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"Bash","arguments":{"command":"ls"}}}]},"done":false}`,
		`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`,
	} {
		f := frame.Frame{Data: []byte(line), Plain: true}
		reading, err := d.Scan(f)
		fmt.Println("passes:", reading.Pass, "opens:", len(reading.Opens), "error:", err)
		slots = append(slots, reading.Opens...)
		if len(slots) > 0 {
			queue = append(queue, held{f, reading})
		}
	}
	fmt.Println(slots[0].Names[0], string(slots[0].Args), slots[0].Done)
	slots[0].Ruling = &call.Ruling{Code: call.CodeArgsDenied, Reason: "Not here."} // made by the judge
	for _, h := range queue {
		frames, err := d.Rewrite(h.frame, h.reading)
		for _, f := range frames {
			fmt.Println(string(f.Data), err)
		}
	}
	// Output:
	// passes: true opens: 0 error: <nil>
	// passes: false opens: 1 error: <nil>
	// passes: false opens: 0 error: <nil>
	// Bash {"command":"ls"} true
	// {"model":"m","message":{"role":"assistant","content":""},"done":false} <nil>
	// {"model":"m","message":{"role":"assistant","content":"\n\n[weir] The call to \"Bash\" was refused (args_denied): Not here. Do not retry it; continue without it or ask the user."},"done":true,"done_reason":"stop"} <nil>
}
