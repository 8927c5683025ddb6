package main

import "slices"

// plan lists the cells:
//
//   - every row by each of its routes under each verdict, all else ordinary;
//   - every row with every framing under every verdict, all else in turn, so that every value of every axis meets every row;
//   - for every format and each of its modes, on its first endpoint, the full product of framing, encoding, chunking and
//     verdict.
func plan() []*cell {
	var p planner
	first := map[string]bool{}
	for _, r := range rows() {
		p.routes(r)
		p.turns(r)
		if key := r.format.name + string(r.mode); !first[key] && slices.Contains(r.format.modes, r.mode) {
			first[key] = true
			p.product(r)
		}
	}
	return p.cells
}

// sampled lists one cell for every row and verdict, all else in turn.
func sampled() []*cell {
	var p planner
	for i, r := range rows() {
		for j := range verdicts {
			p.add(turning(r, 5*i+3*j, &verdicts[j]))
		}
	}
	return p.cells
}

type planner struct {
	cells []*cell
	seen  map[string]bool
}

// add takes a cell, once.
func (p *planner) add(c cell) {
	c.number = len(p.cells)
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	if key := c.String(); !p.seen[key] {
		p.seen[key] = true
		p.cells = append(p.cells, &c)
	}
}

// ordinaryCell has the first value of every axis.
func ordinaryCell(r row) cell {
	return cell{
		row: r, asking: askings[0], route: r.format.routes(r.endpoint)[0], framing: framingsOf(r.format, r.mode)[0], label: &labellings[0],
		encoding: &encodings[0], chunking: chunkingsOf(r.mode)[0], verdict: &verdicts[0],
	}
}

func (p *planner) routes(r row) {
	for _, way := range r.format.routes(r.endpoint) {
		for i := range verdicts {
			c := ordinaryCell(r)
			c.route, c.verdict = way, &verdicts[i]
			p.add(c)
		}
	}
}

// turning is the n-th cell of a row if every axis but the verdict is turned on at once, each at its own pace.
func turning(r row, n int, v *verdict) cell {
	routes, askings := r.format.routes(r.endpoint), askingsOf(r)
	framings, chunkings := framingsOf(r.format, r.mode), chunkingsOf(r.mode)
	return cell{
		row: r, verdict: v, route: routes[n/2%len(routes)], asking: askings[n/3%len(askings)], framing: framings[n%len(framings)],
		label: &labellings[n%len(labellings)], encoding: &encodings[(n+n/len(encodings))%len(encodings)],
		chunking: chunkings[(n+n/len(chunkings))%len(chunkings)],
	}
}

func (p *planner) turns(r row) {
	n := max(len(framingsOf(r.format, r.mode)), len(labellings), len(encodings), len(chunkings))
	for i := range verdicts {
		for k := range n {
			p.add(turning(r, k+i*n, &verdicts[i]))
		}
	}
}

func (p *planner) product(r row) {
	n := 0
	for _, f := range framingsOf(r.format, r.mode) {
		for e := range encodings {
			for _, ch := range chunkingsOf(r.mode) {
				for v := range verdicts {
					c := scattered(r, n)
					c.framing, c.encoding, c.chunking, c.verdict = f, &encodings[e], ch, &verdicts[v]
					p.add(c)
					n++
				}
			}
		}
	}
}

// scattered is a cell whose route, asking and label follow no pattern in n.
func scattered(r row, n int) cell {
	c := ordinaryCell(r)
	routes, askings := r.format.routes(r.endpoint), askingsOf(r)
	h := uint32(n+1) * 2654435761 // spreads numbers that follow each other
	c.route = routes[h>>8%uint32(len(routes))]
	c.asking = askings[h>>16%uint32(len(askings))]
	c.label = &labellings[h>>24%uint32(len(labellings))]
	return c
}
