package running

import (
	"fmt"
	"os"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/text/inert"
)

// Login returns the login name of the user who runs weir.
func Login() string { return config.Login() }

// DemandOutside returns an error if a command runs inside a session of weir run.
func DemandOutside(command string) error {
	if id := os.Getenv(run.SessionVariable); id != "" {
		return exit.WrongInput(fmt.Errorf("%s cannot run inside a session (%s); run it outside", command, inert.Text(id, 64)))
	}
	return nil
}
