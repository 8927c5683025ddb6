package running

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Policy asks the running weir of this machine which policy it has; nil: none runs, or it does not say.
func Policy(ctx context.Context) *control.PolicyInForce {
	if os.Getenv(run.SessionVariable) != "" {
		return nil // sessions cannot reach it
	}
	client, err := Client()
	if err != nil {
		return nil
	}
	defer client.Close()
	hello, err := client.Hello(ctx)
	if err != nil || hello.Policy.Version == "" {
		return nil
	}
	return &hello.Policy
}

// Differs says how a policy differs from the policy of the running weir; "": it does not. source is its file, or a name.
func Differs(has control.PolicyInForce, source, version string) string {
	if has.Version == version {
		return ""
	}
	theirs := fmt.Sprintf("%s, version %s", inert.Text(has.Source, 400), has.Version)
	whole, err := filepath.Abs(source)
	switch {
	case err != nil || whole != has.Source:
		return "the running weir has " + theirs
	case has.Trouble != "":
		return "the running weir has an older version of this file, " + has.Version + ": the new one has errors"
	}
	return "the running weir has an older version of this file, " + has.Version + "; it loads a new one within a second"
}
