package strictjson

// Prune returns the edits that remove the values in v that mark marks. If mark returns a text, the value is replaced by it instead.
// An array or object that loses all its content is removed too, and so on upward, except for v itself. Values inside a marked value
// are not visited.
func (v Value) Prune(mark func(v Value) (with []byte, marked bool)) []Edit {
	p := pruner{mark: mark}
	switch v.Kind() {
	case Array, Object:
		p.children(v)
	}
	return p.edits
}

type pruner struct {
	mark  func(v Value) ([]byte, bool)
	edits []Edit
}

// gone says whether v is removed. If v stays, it adds the edits inside v.
func (p *pruner) gone(v Value) bool {
	if with, marked := p.mark(v); marked {
		if with != nil {
			p.edits = append(p.edits, v.Replace(with))
		}
		return with == nil
	}
	if v.Len() == 0 {
		return false
	}
	before := len(p.edits)
	if !p.children(v) {
		return false
	}
	p.edits = p.edits[:before] // they are not needed: v is removed
	return true
}

// children prunes the elements or members of v, and says whether all of them are removed.
func (p *pruner) children(v Value) (all bool) {
	run := newRemoval()
	all = true
	if v.Kind() == Array {
		for elem := range v.Elems() {
			start, end := elem.Span()
			gone := p.gone(elem)
			all = all && gone
			p.edits = run.next(p.edits, start, end, gone)
		}
	} else {
		for name, value := range v.Members() {
			start, _ := name.Span()
			_, end := value.Span()
			gone := p.gone(value)
			all = all && gone
			p.edits = run.next(p.edits, start, end, gone)
		}
	}
	p.edits = run.end(p.edits)
	return all
}
