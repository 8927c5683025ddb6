package schematest

import "fmt"

func items(c *Checker, _ map[string]any, want, v any, at string) error {
	list, _ := v.([]any)
	for i, item := range list {
		if err := c.check(want, item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func properties(c *Checker, _ map[string]any, want, v any, at string) error {
	object, _ := v.(map[string]any)
	for name, schema := range want.(map[string]any) {
		if value, there := object[name]; there {
			if err := c.check(schema, value, at+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}

func required(_ *Checker, _ map[string]any, want, v any, at string) error {
	object, ok := v.(map[string]any)
	for _, name := range want.([]any) {
		if _, there := object[name.(string)]; ok && !there {
			return fmt.Errorf("%s: %v is missing", at, name)
		}
	}
	return nil
}

func additional(c *Checker, s map[string]any, want, v any, at string) error {
	object, _ := v.(map[string]any)
	known, _ := s["properties"].(map[string]any)
	for name, value := range object {
		if _, isKnown := known[name]; isKnown {
			continue
		}
		if err := c.check(want, value, at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func names(c *Checker, _ map[string]any, want, v any, at string) error {
	object, _ := v.(map[string]any)
	for name := range object {
		if err := c.check(want, name, at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func anyOf(c *Checker, _ map[string]any, want, v any, at string) error {
	var last error
	for _, s := range want.([]any) {
		if last = c.check(s, v, at); last == nil {
			return nil
		}
	}
	return last
}

func allOf(c *Checker, _ map[string]any, want, v any, at string) error {
	for _, s := range want.([]any) {
		if err := c.check(s, v, at); err != nil {
			return err
		}
	}
	return nil
}

func not(c *Checker, _ map[string]any, want, v any, at string) error {
	if c.check(want, v, at) == nil {
		return fmt.Errorf("%s: it is what it must not be", at)
	}
	return nil
}

func conditional(c *Checker, s map[string]any, want, v any, at string) error {
	branch := "then"
	if c.check(want, v, at) != nil {
		branch = "else"
	}
	if schema, there := s[branch]; there {
		return c.check(schema, v, at)
	}
	return nil
}
