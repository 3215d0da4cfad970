// Fetches CVEs for `visctl get` in the cheapest way: single calls for a few ids, batches for many. Every CVE has the
// members that a single call returns, so that the output does not depend on the number of ids.
import { type BatchCve, type Client, type Cve, type Field, type Include, isVisError } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'

export interface CveRequest<Name extends Field> {
  readonly fields?: readonly Name[]
  readonly include?: readonly Include[]
}

export interface FetchPlan {
  /** Ids of each batch, at most 50. */
  readonly batches: readonly (readonly string[])[]
  /** Ids that are fetched with one call each. */
  readonly singles: readonly string[]
  /** Maximum price in credits. In single calls, unknown ids cost nothing. */
  readonly maxCredits: number
}

export const MAX_BATCH_SIZE = 50
/** In credits, including the search that completes the KEV data: a batch returns less of it than a single call. */
export const MAX_BATCH_PRICE = PRICES.batchCves + PRICES.searchCves

/** Members that a single call returns without `fields`. A batch must name them. */
const DEFAULT_FIELDS: readonly Field[] = [
  'cve_id',
  'source_tag',
  'published',
  'modified',
  'description',
  'severity',
  'status',
  'tags',
  'cvss',
  'cpe',
  'references',
  'kev',
  'epss',
]

/** Chooses batches where they are cheaper than single calls. */
export function planFetch(ids: readonly string[], { fields = DEFAULT_FIELDS }: CveRequest<Field>): FetchPlan {
  const batchPrice = fields.includes('kev') ? MAX_BATCH_PRICE : PRICES.batchCves
  const groups = Array.from({ length: Math.ceil(ids.length / MAX_BATCH_SIZE) }, (_, at) =>
    ids.slice(at * MAX_BATCH_SIZE, (at + 1) * MAX_BATCH_SIZE),
  )
  const isCheaper = (group: readonly string[]) => batchPrice < group.length * PRICES.getCve
  const batches = groups.filter(isCheaper)
  const singles = groups.filter((group) => !isCheaper(group)).flat()
  return { batches, singles, maxCredits: batches.length * batchPrice + singles.length * PRICES.getCve }
}

/** Yields every id in order with its CVE, or with undefined if the service does not know the id. */
export async function* fetchCves<Name extends Field>(
  client: Client,
  { batches, singles }: FetchPlan,
  request: CveRequest<Name>,
): AsyncGenerator<{ readonly id: string; readonly cve: Cve<Name> | undefined }> {
  for (const ids of batches) {
    const cves = await fetchBatch(client, ids, request)
    for (const id of ids) yield { id, cve: cves.get(id) }
  }
  for (const id of singles) yield { id, cve: await fetchSingle(client, id, request) }
}

async function fetchSingle<Name extends Field>(
  client: Client,
  id: string,
  request: CveRequest<Name>,
): Promise<Cve<Name> | undefined> {
  try {
    return await client.cve(id, request)
  } catch (error) {
    if (isVisError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

async function fetchBatch<Name extends Field>(
  client: Client,
  ids: readonly string[],
  { fields, include = [] }: CveRequest<Name>,
): Promise<ReadonlyMap<string, Cve<Name>>> {
  const names: readonly Field[] = fields ?? [...DEFAULT_FIELDS, ...include]
  const { cves } = await client.batch(ids, { fields: names, include })
  const inKev = Object.keys(cves).filter((id) => cves[id]?.kev)
  const kev = await fetchKev(client, inKev)
  return new Map(Object.entries(cves).map(([id, cve]) => [id, toSingleForm<Name>(cve, kev.get(id))]))
}

async function fetchKev(client: Client, ids: readonly string[]) {
  const kev = new Map<string, Cve<'kev'>['kev']>()
  if (ids.length === 0) return kev
  for await (const cve of client.search({ ids, fields: ['cve_id', 'kev'] })) kev.set(cve.cve_id, cve.kev)
  return kev
}

/** Converts a CVE from a batch to the form of a single call; only the KEV data differs. */
function toSingleForm<Name extends Field>(cve: BatchCve<Field>, summary: Cve<'kev'>['kev']): Cve<Name> {
  const { kev: _, ...members } = cve
  // The cast is safe: the batch requested the members `Name`. The spread of `cve` keeps the order of its members.
  return (summary ? { ...cve, kev: summary } : members) as Cve<Name>
}
