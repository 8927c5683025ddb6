package fileuse

// stepsPerPlace is the cost of comparing the name of a file with a place, in steps of some tens of nanoseconds.
const stepsPerPlace = 4

// Cost is roughly the number of steps to find out which of the uses touch one of the places.
func (p Places) Cost(uses []Use, deed Deed) int {
	spots := 0
	for i := range uses {
		if u := &uses[i]; u.Counts(deed) {
			for _, readings := range u.spots {
				spots += 1 + len(readings)
			}
		}
	}
	return len(uses) + stepsPerPlace*spots*len(p.places)
}
