package openaichat

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaitools"
)

// offers is where requests of this API offer tools: nowhere but in members of their own.
var offers openaitools.API

// requests is where requests have tools and results.
var requests = dialect.RequestTable{Offers: offers.Offers, Results: readResults, Orphans: offers.Orphans}
