// Package scenarios plays the files of testdata/scenarios against a whole weir.
package scenarios

import (
	"flag"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest"
)

var update = flag.Bool("update", false, "write what comes out into the scenarios' files; read the difference before you keep it")

func TestScenarios(t *testing.T) { weirtest.Run(t, "../../testdata/scenarios", *update) }
