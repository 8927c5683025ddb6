package record

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TestDetailsAgree holds the types of details that are read to those that are described.
func TestDetailsAgree(t *testing.T) {
	for _, typ := range types {
		d, err := readDetail(typ, jsontext.Value("{}"))
		want, ok := details[typ]
		if got := reflect.TypeOf(d); err != nil || ok && got != want || !ok && got != reflect.TypeFor[UnknownDetail]() {
			t.Errorf("%s: read as %v, described as %v, %v", typ, got, want, err)
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
		for f := range of.Fields() {
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
	for _, of := range details {
		walk(of)
	}
	for key := range descriptions {
		if !used[key] {
			t.Errorf("%s is described, and is not there", key)
		}
	}
}
