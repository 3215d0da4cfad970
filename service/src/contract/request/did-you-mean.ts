// Finds the member `suggestion` of errors in responses: the known word with the smallest edit distance.

/** Returns the known word that is most similar to `word`, or undefined if no known word is similar enough. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.slice(0, 64).toLowerCase()
  let best: string | undefined
  // A known word is suggested if at most a third of the given word's characters are wrong, and no more than three. A
  // word of one or two characters may differ from the known word only in letter case.
  let bestDistance = Math.min(3, Math.floor(lower.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(lower, candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best ?? findByPrefix(lower, known)
}

/**
 * Finds a known word that starts with the given text. A text of fewer than three characters finds no word, because too
 * many words start with it.
 */
function findByPrefix(lower: string, known: readonly string[]): string | undefined {
  return lower.length < 3 ? undefined : known.find((candidate) => candidate.toLowerCase().startsWith(lower))
}

/**
 * Computes the optimal string alignment distance: an insertion, deletion, substitution or swap of adjacent characters
 * counts as one.
 */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) row.push(computeCell(a, b, { i, j, rows, row }))
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

function computeCell(a: string, b: string, at: { i: number; j: number; rows: number[][]; row: number[] }): number {
  const { i, j, rows, row } = at
  const above = rows[i - 1] ?? []
  const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
  const plain = Math.min(substitution, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
  const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return isSwap ? Math.min(plain, (rows[i - 2]?.[j - 2] ?? 0) + 1) : plain
}
