// Matches patterns in which `*` stands for any text, including none. A pattern must match the whole text. Callers send
// both pattern and text, so matching must take linear time.

export type Glob = (text: string) => boolean

export function compileGlob(pattern: string): Glob {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (text) => text === first
  const finders = rest.filter((piece) => piece !== '').map(createFinder)
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    const end = text.length - last.length
    let at = first.length
    for (const find of finders) {
      at = find(text, at, end)
      if (at === NOT_FOUND) return false
    }
    return true
  }
}

const NOT_FOUND = -1

/**
 * Returns the position after the first occurrence of the piece, or NOT_FOUND. Uses Knuth-Morris-Pratt, because
 * `indexOf` takes quadratic time on texts such as `aaaa`.
 */
function createFinder(piece: string): (text: string, start: number, end: number) => number {
  const borders = listBorders(piece)
  return (text, start, end) => {
    let matched = 0
    for (let at = start; at < end; at += 1) {
      while (matched > 0 && text[at] !== piece[matched]) matched = borders[matched - 1] ?? 0
      if (text[at] === piece[matched]) matched += 1
      if (matched === piece.length) return at + 1
    }
    return NOT_FOUND
  }
}

/** Returns, for each prefix, the length of its longest proper prefix that is also its suffix. */
function listBorders(piece: string): readonly number[] {
  const borders = [0]
  let length = 0
  for (let at = 1; at < piece.length; at += 1) {
    while (length > 0 && piece[at] !== piece[length]) length = borders[length - 1] ?? 0
    if (piece[at] === piece[length]) length += 1
    borders.push(length)
  }
  return borders
}
