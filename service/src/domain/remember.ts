/**
 * Caches the results of a pure function. At the limit it drops all of them, which needs no record of their use.
 * Undefined is not cached, because texts that cannot be read are rare.
 */
export function remember<Result>(
  read: (text: string) => Result | undefined,
  maxResults: number,
): (text: string) => Result | undefined {
  const known = new Map<string, Result>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = read(text)
    if (known.size >= maxResults) known.clear()
    if (result !== undefined) known.set(text, result)
    return result
  }
}
