package record

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestKinds: each type has one row, and a ruling has all that one selects by.
func TestKinds(t *testing.T) {
	seen := map[Type]bool{}
	for _, k := range kinds {
		if k.Type == "" || seen[k.Type] {
			t.Errorf("%q has two rows, or no name", k.Type)
		}
		seen[k.Type] = true
		if k.class != "" && k.Has != ruling {
			t.Errorf("%s: a policy is asked about it, and it has not all of a ruling", k.Type)
		}
		if k.MCP && k.OnlyMCP {
			t.Errorf("%s: is it about MCP servers now and then, or always?", k.Type)
		}
	}
}

// TestEveryMemberIsDescribed, and nothing else.
func TestEveryMemberIsDescribed(t *testing.T) {
	used := map[string]bool{}
	var walk func(of reflect.Type)
	walk = func(of reflect.Type) {
		if of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct {
			walk(of.Elem())
		}
		if of.Kind() != reflect.Struct || of == reflect.TypeFor[time.Time]() {
			return
		}
		for _, f := range reflect.VisibleFields(of) {
			if f.Anonymous {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			key := defName(of) + "." + name
			if descriptions[key] == "" && key != "actor.session" && key != "actor.session_derived" {
				t.Errorf("%s is not described", key)
			}
			used[key] = true
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[Text]())
	for _, k := range kinds {
		if k.detail.of != nil {
			walk(k.detail.of)
		}
	}
	for key := range descriptions {
		if !used[key] {
			t.Errorf("%s is described, and is not there", key)
		}
	}
}
