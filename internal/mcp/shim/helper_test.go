//go:build unix

package shim_test

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The variables that make the test binary a server: which one, and where it writes down what it gets.
const (
	helperVariable = "MCPSTDIO_TEST_HELPER"
	gotVariable    = "MCPSTDIO_TEST_GOT"
)

func TestMain(m *testing.M) {
	if run := helpers[os.Getenv(helperVariable)]; run != nil {
		if err := os.WriteFile(os.Getenv(gotVariable)+".pid", []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
		run(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// helpers are the servers that the test binary can be.
var helpers = map[string]func(args []string){
	// server answers, until its input ends. Then it returns the code of its argument.
	"server": func(args []string) {
		serve()
		if len(args) > 0 {
			code, _ := strconv.Atoi(args[0])
			os.Exit(code)
		}
	},
	// noisy says other things than messages, before and between them.
	"noisy": func([]string) {
		fmt.Println("Server starting on stdio")
		fmt.Println(`{"level":"info"}`)
		fmt.Println("\x1b[31mred\x1b[0m {\"not\": json}")
		serve()
	},
	// patient waits for a signal, says which it got, and returns 7.
	"patient": func([]string) {
		told := make(chan os.Signal, 1)
		signal.Notify(told, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1)
		say("ready")
		say((<-told).String())
		os.Exit(7)
	},
	// stubborn does not mind signals nor the end of its input.
	"stubborn": func([]string) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		say("ready")
		time.Sleep(time.Minute)
	},
	// deaf never reads.
	"deaf": func([]string) {
		say("ready")
		time.Sleep(time.Minute)
	},
	// flood says the same again and again, until nobody takes it.
	"flood": func([]string) {
		line := `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"` + strings.Repeat("x", 1<<20) + `"}}`
		for {
			if _, err := fmt.Println(line); err != nil {
				os.Exit(1)
			}
		}
	},
	// mumbling says a number of short things, and that it is done.
	"mumbling": func(args []string) {
		n, _ := strconv.Atoi(args[0])
		for i := range n {
			say("thing " + strconv.Itoa(i))
		}
		serve()
	},
}

// say sends a notification with a text.
func say(text string) {
	fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%q}}`+"\n", text)
}

// asked is what a helper reads of a message.
type asked struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params struct {
		Name string `json:"name"`
	} `json:"params"`
}

// serve answers requests until the input ends, and writes down what it got.
func serve() {
	got, err := os.OpenFile(os.Getenv(gotVariable), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
	defer got.Close() // the test reads what is there
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 32<<20)
	for in.Scan() {
		fmt.Fprintln(got, in.Text())
		var m asked
		if json.Unmarshal(in.Bytes(), &m) == nil && m.ID != nil && m.Method != "" {
			answer(m)
		}
	}
	fmt.Fprintln(got, "(end)")
}

// answer answers one request. Some tools are not what they seem.
func answer(m asked) {
	result := `{"content":[{"type":"text","text":"done"}]}`
	switch {
	case m.Method == "ping":
		result = `{}`
	case m.Method == "tools/list":
		result = `{"tools":[{"name":"echo"},{"name":"bad"}]}`
	}
	switch m.Params.Name {
	case "exit":
		os.Exit(3)
	case "die":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	case "silent":
		return
	case "noise":
		fmt.Println("calling noise")
	case "big":
		result = `{"content":[{"type":"text","text":"` + strings.Repeat("x", 4096) + `"}]}`
	case "odd":
		result = `{"content":[],"content":[]}`
	case "twice":
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", m.ID, result)
	case "stranger":
		fmt.Println(`{"jsonrpc":"2.0","id":"nobody","result":{}}`)
	}
	fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", m.ID, result)
}
