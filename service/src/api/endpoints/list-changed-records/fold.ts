// Folds rows of the change log into one item per CVE.
import type { CveKey } from '../../../domain/cve-id.ts'
import type { ChangeRow } from '../../../record/change-log/read-log.ts'

interface Folded {
  /** The CVEs in order of their first row. */
  readonly keys: readonly CveKey[]
  /** Rows that do not concern a single CVE, such as an EPSS release. */
  readonly others: readonly ChangeRow[]
  /** Number of rows that were folded; the next page starts after them. */
  readonly count: number
}

/** Folds rows until it has `limit` CVEs and meets a row of another one. */
export function foldRows(rows: readonly ChangeRow[], limit: number): Folded {
  const keys = new Set<CveKey>()
  const others: ChangeRow[] = []
  let count = 0
  for (const row of rows) {
    if (row.key === null) others.push(row)
    else if (keys.has(row.key) || keys.size < limit) keys.add(row.key)
    else break
    count += 1
  }
  return { keys: [...keys], others, count }
}
