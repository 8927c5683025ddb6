package openaichat

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaitools"
)

// offers says where requests of this API have tools: only in the usual members.
var offers openaitools.API

// requests says where requests have tools and results.
var requests = dialect.RequestTable{Offers: offers.Offers, Results: readResults, Orphans: offers.Orphans}
