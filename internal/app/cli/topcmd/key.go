package topcmd

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/weir-gate/weir/internal/text/inert"
)

// key does what a key means.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "ctrl+c" {
		return tea.Quit
	}
	m.wrong = ""
	switch {
	case m.asking:
		return m.typeKey(k)
	case m.open != nil:
		return m.readKey(k)
	}
	switch k.String() {
	case "q":
		return tea.Quit
	case "tab", "shift+tab", "left", "right", "h", "l":
		m.pane = 1 - m.pane
	case "enter":
		return m.enter()
	case "/":
		m.asking, m.input = true, m.typed
	case "r":
		m.refused, m.chosen = !m.refused, ""
		return m.lookNow()
	case "space", " ", "p":
		m.paused = !m.paused
	case "esc":
		m.refused = false
		return m.setFilter("")
	default:
		if by, ok := m.step(k); ok {
			m.move(by)
		}
	}
	return nil
}

// step is by how many lines a key moves.
func (m *model) step(k tea.KeyPressMsg) (by int, ok bool) {
	page := max(1, m.height-4)
	switch k.String() {
	case "up", "k":
		return -1, true
	case "down", "j":
		return 1, true
	case "pgup", "ctrl+b":
		return -page, true
	case "pgdown", "ctrl+f":
		return page, true
	case "home", "g":
		return -1 << 30, true
	case "end", "G":
		return 1 << 30, true
	}
	return 0, false
}

// readKey is a key while a call is open.
func (m *model) readKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "q", "esc", "enter", "left", "h", "backspace":
		m.open = nil
		return nil
	}
	if by, ok := m.step(k); ok {
		m.scroll = max(0, m.scroll+by) // the view knows where the end is
	}
	return nil
}

// typeKey is a key while a filter is typed.
func (m *model) typeKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "enter":
		m.asking = false
		return m.setFilter(m.input)
	case "esc":
		m.asking = false
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(m.input)
		m.input = m.input[:len(m.input)-size]
	case "ctrl+u":
		m.input = ""
	default:
		for _, r := range k.Text {
			if inert.Visible(r) && len(m.input) < longestInput {
				m.input += string(r)
			}
		}
	}
	return nil
}

// longestInput is how long a typed filter may be, in bytes.
const longestInput = 500
