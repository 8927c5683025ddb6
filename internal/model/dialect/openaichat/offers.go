package openaichat

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaitools"
	"github.com/weir-gate/weir/internal/strictjson"
)

// offers is where requests of this API offer tools: nowhere but in members of their own.
var offers openaitools.API

// readRequest finds out what a request says of tools.
func readRequest(body []byte) (dialect.Request, error) {
	root, err := dialect.ParseRequest(new(strictjson.Doc), body)
	if err != nil {
		return dialect.Request{}, err
	}
	tools, err := offers.Read(root)
	if err != nil {
		return dialect.Request{}, err
	}
	return dialect.Request{Offers: tools, Results: readResults(root)}, nil
}
