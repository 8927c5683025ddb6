// Package mcp governs what an MCP client and an MCP server say to each other: which message passes, waits for the judge, is
// changed, responded to in the other's place, or dropped. It knows no transport.
package mcp

import (
	"context"

	"github.com/weir-gate/weir/internal/call"
)

// A Judge rules on what passes. Its methods wait: for a record that is durable, and for a person. A door has each message that
// waits in a goroutine of its own.
type Judge interface {
	// Call rules on a request that policy governs. When it returns, the ruling is on record. If ctx ends before, the call is
	// refused.
	Call(ctx context.Context, c call.Call) call.Ruling
	// Tools takes note of what a server offers and says what of it the client may see. After an error nothing of it may
	// reach the client.
	Tools(ctx context.Context, l call.Listing) (call.Offer, error)
	// Given takes note of what a server gave and rules on whether it may reach the client.
	Given(ctx context.Context, g call.Given) call.Ruling
	// Refused takes note of a message that is refused for what it is. It does not wait.
	Refused(c call.Call, r call.Ruling)
}
