// Counts how many of the served CVEs of each year have a score, a weakness, a product, a fix and a description.
import type { Database } from '../../../database/postgres.ts'
import { countServed, readServedBatches } from '../served/read-served.ts'
import { readServed, type Served } from '../served/served.ts'

export const VALUES_BY_YEAR = ['score', 'weakness', 'product', 'fix', 'description'] as const

type Counts = Record<(typeof VALUES_BY_YEAR)[number] | 'cves', number>

/** The year is that of the CVE id. Rejected CVEs are not counted. */
export type CoverageOfYear = { readonly year: string } & Readonly<Counts>

interface Options {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number | undefined }) => void
}

export async function measureCoverageByYear(
  db: Database,
  { onProgress }: Options = {},
): Promise<readonly CoverageOfYear[]> {
  const counter = createYearCounter()
  const total = await countServed(db)
  let done = 0
  for await (const rows of readServedBatches(db)) {
    for (const row of rows) counter.count(readServed(row))
    done += rows.length
    onProgress?.({ done, total })
  }
  return counter.result()
}

export function createYearCounter() {
  const years = new Map<string, Counts>()
  return {
    count: (served: Served) => {
      if (served.isRejected) return
      const year = served.cveId.slice(4, 8)
      const counts = years.get(year) ?? { cves: 0, score: 0, weakness: 0, product: 0, fix: 0, description: 0 }
      years.set(year, counts)
      counts.cves += 1
      counts.score += Number(served.score !== null)
      counts.weakness += Number(served.weaknesses.length > 0)
      counts.product += Number(served.matches.length > 0)
      counts.fix += Number(served.hasPatch)
      counts.description += Number(served.description !== null)
    },
    result: (): readonly CoverageOfYear[] =>
      [...years].sort(([one], [other]) => Number(one) - Number(other)).map(([year, counts]) => ({ year, ...counts })),
  }
}
