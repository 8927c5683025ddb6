// isWhole says whether a text that came in pieces is all there.
export function isWhole(text) {
  try {
    return JSON.parse(text) !== null;
  } catch {
    return false;
  }
}
