package argument

import (
	"strconv"
	"strings"
)

// Punch marks the parts of arguments that are not known. A pointer that leads nowhere marks all arguments.
func (v *Value) Punch(pointers []string) {
	for _, pointer := range pointers {
		at := v
		for _, name := range strings.Split(pointer, "/")[1:] {
			next := at.at(pointerName.Replace(name))
			if next == nil {
				at = v
				break
			}
			at.holey = true
			at = next
		}
		at.hole, at.holey = true, true
	}
}

// at is the part of a value with this name or index; nil: there is none.
func (v *Value) at(name string) *Value {
	switch v.Kind {
	case '[':
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v.items) {
			return &v.items[i]
		}
	case '{':
		for i := range v.Members {
			if v.Members[i].Name == name {
				return &v.Members[i].Value
			}
		}
	}
	return nil
}

// pointerName decodes the escapes of a JSON pointer.
var pointerName = strings.NewReplacer("~1", "/", "~0", "~")
