package call

// What the test calls of weir verify are known by: they come from an upstream of weir's own, or a rule of weir's own refused them.
const (
	CanaryProvider = "canary"
	CanaryRule     = "weir.canary"
)
