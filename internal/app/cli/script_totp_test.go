package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/weir-gate/weir/internal/approval/factor"
)

// totp prints the code of an authenticator with a secret, some steps of 30 seconds later.
func totp(args []string) int {
	later := time.Duration(0)
	if len(args) == 2 && args[1] == "next" {
		later = 30 * time.Second
	}
	s, err := factor.ParseSecret(args[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(s.Code(time.Now().Add(later)))
	return 0
}
