// Package mcp has official MCP clients talk to official MCP servers, directly and through the real weir, and compares what
// they saw.
package mcp
