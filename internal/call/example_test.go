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
	// Output:
	// false
	// [weir] The call to "Bash" was refused (args_denied, rule no-destruction): Destructive commands are not allowed here. Do not retry it; continue without it or ask the user.
}
