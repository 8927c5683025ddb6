package fileuse

import "github.com/weir-gate/weir/internal/text/truth"

// Short names for the tables of these tests.
const No, Maybe, Yes = truth.No, truth.Maybe, truth.Yes
