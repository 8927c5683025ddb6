// Package clients has the official SDKs talk to a scripted model through the real weir.
package clients
