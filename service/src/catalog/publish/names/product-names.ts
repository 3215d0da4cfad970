// The dictionary of product names (decision E6) in catalog.cpe_name and catalog.cpe_alias, learnt from the NVD records
// that are published.
//
// Only publishers write the tables, in the transaction that publishes the CVEs under the publishers' lock. If a
// publisher dies, the next one learns the names from the same queue. Each process keeps the dictionary in memory and
// reads it again if catalog.cpe_dictionary has a different revision, even after its own transaction was rolled back.
//
// catalog.cpe_unmapped lists published CVEs with an unmapped name; those that a new name may belong to are queued
// again.
import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import { unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import type { CveId, CveKey } from '../../../domain/cve-id.ts'
import type { NamingClaim } from '../../model/claim.ts'
import type { Resolved } from '../../model/resolved.ts'
import type { CpeName, ProductNames, ReferenceData } from '../../model/source-data.ts'
import { isOfRegistry } from '../../resolve/products/cpe-matches.ts'
import { toSample } from '../../resolve/products/cve-sample.ts'
import { learnNames } from '../../resolve/products/learn-names.ts'
import { formatCpeName, toNameKey } from '../../resolve/products/product-name-keys.ts'
import { type Alias, createNameDictionary, type NameDictionary } from '../../resolve/products/product-names.ts'
import { listProductKeys } from '../../resolve/products/product-spellings.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { toStoredCveKey } from '../cve-key.ts'

interface StoredDictionary {
  revision: string
  readonly productNames: NameDictionary & ReferenceData['productNames']
  /** Stored samples of CVEs (`toSample`), by name and by alias. */
  readonly known: Map<string, number>
}

let cached: StoredDictionary | undefined

export async function readProductNames(db: Database): Promise<StoredDictionary> {
  const { rows } = await sql<{ revision: string }>`select revision from catalog.cpe_dictionary`.execute(db)
  const revision = rows[0]?.revision ?? ''
  if (cached !== undefined && cached.revision === revision) return cached
  const loaded = await loadProductNames(db, revision)
  // An empty dictionary has the same revision in every database, so it is not cached.
  if (revision !== '') cached = loaded
  return loaded
}

/** Bypasses the cache. */
export async function loadProductNames(db: Database, revision = ''): Promise<StoredDictionary> {
  const names = await sql<LearntInCves<CpeName>>`
    select part, vendor, product, cve_sample as "cveSample"
      from catalog.cpe_name
     order by vendor, product, part
  `.execute(db)
  const rows = await sql<LearntInCves<CpeName & { cnaVendor: string; cnaProduct: string }>>`
    select cna_vendor as "cnaVendor", cna_product as "cnaProduct", part, vendor, product, cve_sample as "cveSample"
      from catalog.cpe_alias
     order by cna_vendor, cna_product, vendor, product, part
  `.execute(db)
  const aliases = rows.rows.map(({ cnaVendor, cnaProduct, part, vendor, product, cveSample }) => ({
    vendor: cnaVendor,
    product: cnaProduct,
    name: { part, vendor, product },
    cveSample,
  }))
  const productNames = createNameDictionary()
  productNames.add(names.rows, aliases)
  const known = new Map([
    ...names.rows.map((each) => [formatCpeName(each), each.cveSample] as const),
    ...aliases.map((each) => [formatAlias(each), each.cveSample] as const),
  ])
  return { revision, productNames, known }
}

function formatAlias({ vendor, product, name }: Alias): string {
  return `${vendor}\n${product}\n${formatCpeName(name)}`
}

type LearntInCves<T> = T & { readonly cveSample: number }

/** Names that were learnt or found in further CVEs, and the CVEs with unmapped names. */
export interface LearntInBatch {
  readonly dictionary: StoredDictionary
  readonly names: Map<string, LearntInCves<CpeName>>
  readonly aliases: Map<string, LearntInCves<Alias>>
  readonly unmapped: { readonly cveKey: CveKey; readonly productKey: string }[]
}

export function createLearntInBatch(dictionary: StoredDictionary): LearntInBatch {
  return { dictionary, names: new Map(), aliases: new Map(), unmapped: [] }
}

export function learnFrom(batch: LearntInBatch, resolved: Resolved): void {
  learnFromClaims(batch, resolved.cveId, resolved.claims)
  const { dictionary, unmapped } = batch
  for (const productKey of listUnmappedKeys(resolved, dictionary.productNames))
    unmapped.push({ cveKey: toStoredCveKey(resolved.cveId), productKey })
}

export function learnFromClaims(
  { dictionary, names, aliases }: LearntInBatch,
  cveId: CveId,
  claims: readonly NamingClaim[],
): void {
  const learnt = learnNames(claims)
  const bit = toSample(cveId)
  const addTo = <T>(learntInBatch: Map<string, LearntInCves<T>>, key: string, value: T): void => {
    const sample = learntInBatch.get(key)?.cveSample ?? dictionary.known.get(key) ?? 0
    if ((sample & bit) === 0) learntInBatch.set(key, { ...value, cveSample: sample | bit })
  }
  for (const name of learnt?.names ?? []) addTo(names, formatCpeName(name), name)
  if (learnt?.alias !== undefined) addTo(aliases, formatAlias(learnt.alias), learnt.alias)
}

const NO_KEYS: ReadonlySet<string> = new Set()

/**
 * Lists the keys under which a name learnt later could belong to an unmapped product of the CVE, or to a package, for
 * which no CPE name is made up.
 */
function listUnmappedKeys({ cpe, cpeCandidates, claims }: Resolved, names: ProductNames): ReadonlySet<string> {
  // Every provider's matches have rows, also beside NVD's. Only derived names can be unmapped.
  const derived = cpeCandidates.filter(({ isDerived }) => isDerived).flatMap((each) => listMatches(each.configurations))
  const criteria = new Set(derived.flatMap((each) => (each.unmapped ? [each.criteria] : [])))
  const isNamed = !cpe.isDerived && cpe.matches.length > 0
  if (isNamed && criteria.size === 0) return NO_KEYS
  const packages = claims.flatMap(({ source, affected }) =>
    !isNamed && (source === 'cve' || source === 'nvd') ? affected.filter(isOfRegistry) : [],
  )
  const unnamed = packages.filter(({ vendor, product }) => names.find(vendor, product) === undefined)
  const keys = new Set(unnamed.flatMap(({ vendor, product }) => listProductKeys(vendor, product)))
  for (const each of criteria) {
    const { vendor = '', product = '' } = parseCpeCached(each) ?? {}
    for (const key of listProductKeys(toWords(vendor), toWords(product))) keys.add(key)
  }
  return keys
}

function toWords(value: string): string {
  return (unescapeCpeValue(value) ?? '').replaceAll('_', ' ')
}

export async function storeLearntNames(
  tx: Transaction<unknown>,
  ids: readonly CveId[],
  { dictionary, names, aliases, unmapped }: LearntInBatch,
): Promise<void> {
  await sql`delete from catalog.cpe_unmapped where cve_key = any (${ids.map(toStoredCveKey)}::bigint[])`.execute(tx)
  await sql`
    insert into catalog.cpe_unmapped (cve_key, product_key)
    select * from unnest(${unmapped.map(({ cveKey }) => cveKey)}::bigint[], ${unmapped.map(({ productKey }) => productKey)}::text[])
  `.execute(tx)
  if (names.size + aliases.size === 0) return
  await insertNames(tx, [...names.values()], [...aliases.values()])
  // Another CVE with a known name changes no unmapped product, but it can make an alias certain.
  const newNames = [...names].filter(([key]) => !dictionary.known.has(key)).map(([, name]) => name)
  await queueUnmapped(
    tx,
    [...newNames, ...aliases.values()].map(({ product }) => toNameKey(product)),
  )
  dictionary.productNames.add(names.values(), aliases.values())
  for (const [key, { cveSample }] of [...names, ...aliases]) dictionary.known.set(key, cveSample)
  dictionary.revision = randomUUID()
  await sql`
    insert into catalog.cpe_dictionary (revision)
    values (${dictionary.revision})
    on conflict (is_current) do update
       set revision = excluded.revision
  `.execute(tx)
}

async function insertNames(
  tx: Transaction<unknown>,
  names: readonly LearntInCves<CpeName>[],
  aliases: readonly LearntInCves<Alias>[],
): Promise<void> {
  await sql`
    insert into catalog.cpe_name as known (part, vendor, product, cve_sample)
    select * from unnest(${names.map(({ part }) => part)}::text[], ${names.map(({ vendor }) => vendor)}::text[],
                         ${names.map(({ product }) => product)}::text[],
                         ${names.map(({ cveSample }) => cveSample)}::integer[])
    on conflict (vendor, product, part) do update
       set cve_sample = known.cve_sample | excluded.cve_sample
  `.execute(tx)
  await sql`
    insert into catalog.cpe_alias as known (cna_vendor, cna_product, part, vendor, product, cve_sample)
    select * from unnest(${aliases.map(({ vendor }) => vendor)}::text[], ${aliases.map(({ product }) => product)}::text[],
                         ${aliases.map(({ name }) => name.part)}::text[], ${aliases.map(({ name }) => name.vendor)}::text[],
                         ${aliases.map(({ name }) => name.product)}::text[],
                         ${aliases.map(({ cveSample }) => cveSample)}::integer[])
    on conflict (cna_vendor, cna_product, vendor, product, part) do update
       set cve_sample = known.cve_sample | excluded.cve_sample
  `.execute(tx)
}

/** The queued CVEs are published in a later batch. */
async function queueUnmapped(tx: Transaction<unknown>, productKeys: readonly string[]): Promise<void> {
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select catalog.cve_id(cve_key), 'catalog'
      from (select distinct cve_key from catalog.cpe_unmapped where product_key = any (${productKeys}::text[])) affected
     order by cve_key
  `.execute(tx)
}
