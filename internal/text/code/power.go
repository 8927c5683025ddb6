package code

func (e *evaluator) powerCommand() (value, bool) { return value{}, false }
func (e *evaluator) powerOperator(*value) bool   { return false }
