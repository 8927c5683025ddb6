package frame_test

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
)

// A stream is cut into frames. A plain frame goes out as the bytes that came in.
func ExampleSSE() {
	const in = "event: ping\ndata: {}\n\n" + "data: {\"text\":\"hello\"}\n\n"
	stream := frame.NewSSE(strings.NewReader(in), 0)
	var out []byte
	for {
		f, err := stream.Next()
		if err != nil {
			break // io.EOF
		}
		fmt.Printf("type %q data %s plain %v\n", f.Type, f.Data, f.Plain)
		out = stream.Append(out, f)
	}
	fmt.Println(string(out) == in)
	// Output:
	// type "ping" data {} plain true
	// type "" data {"text":"hello"} plain true
	// true
}
