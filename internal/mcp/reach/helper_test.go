package reach_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// helperVariable makes the test binary one of the servers below.
const helperVariable = "REACH_TEST_HELPER"

var helpers = map[string]func(args []string){
	// peer follows a script.
	"peer": func(args []string) { followScript(peers[args[0]]) },
	// noisy says other things than messages.
	"noisy": func([]string) {
		fmt.Println("Server starting on stdio")
		followScript(peers["ordinary"])
	},
	// dying ends in the middle of a call.
	"dying": func([]string) {
		followScript(func(m message) []string {
			if m.Method == "echo" {
				os.Exit(3)
			}
			return peers["ordinary"](m)
		})
	},
	// endless begins a message, in one line or over several, and never ends it.
	"endless": func(args []string) {
		fmt.Print(`{"jsonrpc":"2.0","id":1,"result":{"x":"`)
		for range 1000 {
			if _, err := fmt.Print(args[0]); err != nil {
				os.Exit(1)
			}
			time.Sleep(5 * time.Millisecond)
		}
	},
	// slow pauses within a message, not for long, and for long between messages.
	"slow": func([]string) {
		for _, text := range []string{`{"jsonrpc":"2.0",`, "\"id\":1,\"result\":{}}\n", "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n"} {
			fmt.Print(text)
			time.Sleep(20 * time.Millisecond)
		}
	},
	// odd says what cannot be read as it should be.
	"odd": func([]string) {
		fmt.Println(`{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`)
		fmt.Println(`{"jsonrpc":"2.0","method":"big","params":{"x":"` + strings.Repeat("x", 200) + `"}}`)
		fmt.Print(`{"jsonrpc":"2.0","method":"last"}`)
	},
	// mute ends its output and goes on.
	"mute": func([]string) {
		_ = os.Stdout.Close()
		time.Sleep(time.Minute)
	},
	// deaf never reads.
	"deaf": func([]string) { time.Sleep(time.Minute) },
	// blind ends its input and goes on.
	"blind": func([]string) {
		_ = os.Stdin.Close()
		fmt.Println(`{"jsonrpc":"2.0","method":"ready"}`)
		time.Sleep(time.Minute)
	},
}

// followScript runs a peer on the standard streams.
func followScript(p peer) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		for _, line := range p(parse(in.Bytes())) {
			fmt.Println(line)
		}
	}
}

func TestMain(m *testing.M) {
	if run := helpers[os.Getenv(helperVariable)]; run != nil {
		run(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}
