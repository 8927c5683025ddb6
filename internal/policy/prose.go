package policy

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// withoutProse removes the named members, if they are texts.
func withoutProse(args jsontext.Value, names []string) (jsontext.Value, error) {
	if names == nil || args.Kind() != '{' {
		return args, nil
	}
	members := map[string]jsontext.Value{}
	if err := json.Unmarshal(args, &members); err != nil {
		return nil, fmt.Errorf("compare arguments: %w", err)
	}
	for name, v := range members {
		if v.Kind() == '"' && slices.Contains(names, name) {
			delete(members, name)
		}
	}
	out, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("compare arguments: %w", err)
	}
	return out, nil
}
