// Package mcp governs the messages between an MCP client and an MCP server: it decides which message passes, waits for the judge,
// is changed, gets its response from weir, or is dropped. It knows no transport.
package mcp

import (
	"context"

	"github.com/weir-gate/weir/internal/call"
)

// A Judge rules on messages. Its methods block until the ruling is durable, and while a person is asked. So each message that waits
// has its own goroutine.
type Judge interface {
	// Call rules on a request that policy governs. When it returns, the ruling is recorded. If ctx ends before that, the call is
	// refused.
	Call(ctx context.Context, c call.Call) call.Ruling
	// Tools notes the tools that a server offers and says which of them the client may see. After an error none of them may reach the
	// client.
	Tools(ctx context.Context, l call.Listing) (call.Offer, error)
	// Given notes what a server responded and rules on whether it may reach the client.
	Given(ctx context.Context, g call.Given) call.Ruling
	// Refused notes a message that is refused because it is invalid. It does not block.
	Refused(c call.Call, r call.Ruling)
}
