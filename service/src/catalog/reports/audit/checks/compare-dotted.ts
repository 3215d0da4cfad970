const DOTTED = /^v?\d+(?:\.\d+)*$/i

/**
 * Compares two versions of dotted numbers, such as 1.10 and 1.9. Returns a negative number, 0 or a positive number, or
 * undefined if a version has another form.
 */
export function compareDotted(one: string, other: string): number | undefined {
  if (!DOTTED.test(one) || !DOTTED.test(other)) return undefined
  const [left, right] = [one, other].map((each) => each.replace(/^v/i, '').split('.').map(Number))
  if (left === undefined || right === undefined) return undefined
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
