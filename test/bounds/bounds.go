// Package bounds attacks the real weir with what takes memory, and checks that it is bounded and counted, that the attacker gets native
// errors, that others notice nothing, and that all of it is given back.
package bounds
