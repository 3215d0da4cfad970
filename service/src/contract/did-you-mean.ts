// "did you mean": the nearest of a few known words, or nothing when none is near.

export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.slice(0, 64).toLowerCase()
  let best: string | undefined
  // A third of the word may be wrong, but never more than three characters; of one or two, nothing but the case.
  let bestDistance = Math.min(3, Math.floor(lower.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(lower, candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best ?? firstBeginningWith(lower, known)
}

/** Fewer than three characters begin too many words to mean one of them. */
function firstBeginningWith(lower: string, known: readonly string[]): string | undefined {
  return lower.length < 3 ? undefined : known.find((candidate) => candidate.toLowerCase().startsWith(lower))
}

/** Optimal string alignment: insertions, deletions, substitutions and swapped neighbours count one each. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) row.push(cell(a, b, { i, j, rows, row }))
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

function cell(a: string, b: string, at: { i: number; j: number; rows: number[][]; row: number[] }): number {
  const { i, j, rows, row } = at
  const above = rows[i - 1] ?? []
  const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
  const plain = Math.min(substitution, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
  const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return isSwap ? Math.min(plain, (rows[i - 2]?.[j - 2] ?? 0) + 1) : plain
}
