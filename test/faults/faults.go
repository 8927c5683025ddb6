// Package faults takes the store away from weir under load, in the ways in which stores go away, and checks that nothing is
// released that is not recorded, that refusals say why, and that weir goes on by itself.
package faults
