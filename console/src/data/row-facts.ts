// What a line about a CVE shows besides its event: names, level, EPSS, whether a fix is named.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Level, ListedCve } from 'vis-sdk'
import { toSummary } from '../text/summary.ts'
import { nameFirstProduct } from '../text/verdict/first-product.ts'
import { chooseFixWord } from '../text/verdict/fix-word.ts'
import { nameWeakness } from '../text/weakness-names.ts'
import { client } from './client.ts'

/** Most ids that one search accepts. */
export const MAX_ROW_IDS = 50

export interface RowFacts {
  /** Vendor and product, or undefined if no source names one. */
  readonly product: string | undefined
  /** Name of the weakness, or else the beginning of the description. */
  readonly about: string
  readonly level: Level | undefined
  readonly epss: number | undefined
  readonly fix: ReturnType<typeof chooseFixWord>
}

const FIELDS = ['cve_id', 'description', 'kev', 'epss', 'enrichment', 'priority', 'cpe', 'fixes'] as const

/** Reads the facts of at most MAX_ROW_IDS CVEs in one call. */
function rowFactsQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ['cves', 'row-facts', ids.toSorted().join(',')],
    enabled: ids.length > 0,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, RowFacts>> => {
      const include = ['priority', 'enrichment', 'fixes'] as const
      const { items } = await client.search({ ids, fields: FIELDS, include, limit: ids.length, signal }).page()
      return new Map(items.map((row) => [row.cve_id, toFacts(row)]))
    },
  })
}

type Row = ListedCve<(typeof FIELDS)[number]>

function toFacts({ description, kev, epss, enrichment, priority, cpe, fixes }: Row): RowFacts {
  const weakness = enrichment?.cwe_list?.map((id) => nameWeakness(id)).find((name) => name !== undefined)
  return {
    product: nameFirstProduct({ kev, cpe }),
    about: weakness ?? toSummary(description),
    level: priority?.level ?? undefined,
    epss: epss?.score,
    fix: chooseFixWord({ fixes, enrichment }),
  }
}

interface RowFactsRead {
  /** Undefined until they have been read. */
  readonly facts: ReadonlyMap<string, RowFacts> | undefined
  /** False as soon as the first try has failed: rows without facts are better than none. */
  readonly isReading: boolean
}

/** Returns the facts of at most MAX_ROW_IDS CVEs. */
export function useRowFacts(ids: readonly string[]): RowFactsRead {
  const { data, isLoading, failureCount } = useQuery(rowFactsQuery(ids))
  return { facts: data, isReading: isLoading && failureCount === 0 }
}
