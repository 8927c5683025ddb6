package call_test

import (
	"fmt"

	"github.com/weir-gate/weir/internal/call"
)

// A refused call leaves a notice in its place, which the model reads.
func ExampleRuling_Notice() {
	asked := call.Call{Tool: "Bash", Args: []byte(`{"command":"rm -rf /"}`)}
	ruling := call.Ruling{Code: call.CodeArgsDenied, Rule: "no-destruction", Reason: "Destructive commands are not allowed here."}
	fmt.Println(ruling.Released)
	fmt.Println(ruling.Notice(asked.Tool))
	fmt.Println(ruling.WithContact("nobody@acme.example").Questions() == "", "no policy refused it")
	ruling.Policy = "sha256:25faf42c419545ba"
	fmt.Println(ruling.WithContact("security@acme.example").Notice("<b>"))
	// Output:
	// false
	// [weir] The call to "Bash" was refused (args_denied, rule no-destruction): Destructive commands are not allowed here. Do not retry it; continue without it or ask the user.
	// true no policy refused it
	// [weir] The call to a tool was refused (args_denied, rule no-destruction): Destructive commands are not allowed here. Do not retry it; continue without it or ask the user. Questions about it go to security@acme.example.
}
