// Package house holds the rules of the house, as tests over the tree.
package house
