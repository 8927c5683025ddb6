package outbox

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/record"
)

// Every text of an event counts, so that none can fill the memory.
func TestEveryTextCounts(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	events := []record.Event{{}}
	for _, name := range append(record.Types.Names(), "of a later version") {
		d, err := record.Text{Type: record.Type(name), Detail: jsontext.Value("{}")}.ReadDetail()
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, record.Event{Detail: d})
	}
	for _, e := range events {
		v := reflect.ValueOf(&e).Elem()
		texts := 0
		eachText(v, long, func(path string) {
			texts++
			if n := sizeOf(e); n < len(long) {
				t.Errorf("%T%s: an event with a MiB in it counts as %d", e.Detail, path, n)
			}
		})
		if texts < 30 {
			t.Errorf("found %d texts", texts)
		}
	}
}

// eachText calls visit with each text of a value set to long, one at a time.
func eachText(v reflect.Value, long string, visit func(path string)) {
	switch v.Kind() {
	case reflect.String:
		before := v.String()
		v.SetString(long)
		visit("")
		v.SetString(before)
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if !v.Type().Field(i).IsExported() {
				continue
			}
			eachText(v.Field(i), long, func(path string) { visit("." + name + path) })
		}
	case reflect.Slice:
		before := reflect.ValueOf(v.Interface())
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(long))
			visit("[]")
		} else {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			eachText(v.Index(0), long, func(path string) { visit("[0]" + path) })
		}
		v.Set(before)
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		before := v.Elem()
		inside := reflect.New(before.Type()).Elem()
		inside.Set(before)
		eachText(inside, long, func(path string) {
			v.Set(inside)
			visit(path)
		})
		v.Set(before)
	}
}
