package agents

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/intake/admission"
)

// here is what those say whom a probe may reach.
const here = "here"

// reached is what a probe says of what it reached. Of the rest it says what stopped it.
const reached = "reached"

// probeCommand is a shell command that starts a probe.
func probeCommand(how, where string) string {
	return fmt.Sprintf("%s %s %s %s %s", os.Args[0], noTests, prober, how, where)
}

// probe tries to reach something, as any program could: tcp, udp or unix and an address, lookup and a name, or session and a socket at
// which weir is asked for a session without rules.
func probe(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%q is not how and where", args)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	how, where := args[0], args[1]
	switch how {
	case "lookup":
		addresses, err := net.DefaultResolver.LookupHost(ctx, where)
		if err == nil {
			fmt.Println(reached, addresses)
		}
		return err
	case "session":
		return openSession(ctx, where)
	default:
		return connect(ctx, how, where)
	}
}

// connect connects to an address.
func connect(ctx context.Context, how, where string) error {
	conn, err := new(net.Dialer).DialContext(ctx, how, where)
	if err != nil {
		return err
	}
	defer conn.Close() // nothing is written any more
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return err
	}
	if how != "unix" { // a connection alone may be one to whoever stands in between
		if err := ask(conn); err != nil {
			return err
		}
	}
	fmt.Println(reached)
	return nil
}

// ask wants the one at the other end to say that it is the one that is looked for.
func ask(conn net.Conn) error {
	if _, err := conn.Write([]byte("who is there?\n")); err != nil {
		return err
	}
	answer := make([]byte, len(here))
	if _, err := conn.Read(answer); err != nil {
		return err
	}
	if string(answer) != here {
		return fmt.Errorf("the answer is %q", answer)
	}
	return nil
}

// openSession asks weir for a session without rules, as weir run does.
func openSession(ctx context.Context, socket string) error {
	client := control.NewClient(control.ClientConfig{Path: socket, BackWithin: time.Millisecond})
	defer client.Close()
	policy := &control.PolicyText{Source: "none", Text: []byte("version: 1\ndefault: allow\n")}
	_, err := client.OpenSession(ctx, control.SessionRequest{ID: "run-without-rules", Token: admission.NewSessionToken(), Policy: policy})
	if err == nil {
		fmt.Println(reached)
	}
	return err
}
