// Finds a stored advisory by its own id, such as GHSA-jfh8-c2jp-5v3q or GO-2021-0113, and shows its content. Advisories
// without a CVE can be found only in this way.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { isTrueIn, type JsonObject, objectsIn, parseObject, textIn, textsIn } from '../sources/json.ts'
import { stripControls } from './explain.ts'

/** Ids of GitHub's advisories and of the databases in OSV format. Ids are case-sensitive in the tables. */
const ADVISORY_ID = /^(?:GHSA|GO|RUSTSEC|PYSEC|BIT|AL[SBE]A)-[\w.:-]{1,100}$/i

interface StoredAdvisory {
  /** Name of the feed that stored the advisory. */
  readonly feed: string
  readonly id: string
  readonly cveIds: readonly string[]
  readonly record: string
}

interface AdvisoryField {
  readonly name: string
  readonly value: string
}

export function isAdvisoryId(text: string): boolean {
  return ADVISORY_ID.test(text)
}

/** Finds an advisory by its id. The letters of the id may have any case. */
export async function findAdvisory(db: Database, id: string): Promise<StoredAdvisory | undefined> {
  const { rows } = await sql<StoredAdvisory>`
    select 'ghsa' as feed, ghsa_id as id, array_remove(array[cve_id], null) as "cveIds", record
      from source.ghsa_advisory
     where ghsa_id in ('GHSA' || lower(substr(${id}::text, 5)), ${id})
     union all
    select feed, id,
           array(
             select cve_id
               from source.osv_advisory_cve link
              where link.feed = osv_advisory.feed
                and link.advisory_id = osv_advisory.id
              order by cve_id
           ),
           record
      from source.osv_advisory
     where id in (upper(${id}::text), ${id}, 'BIT' || lower(substr(${id}::text, 4)))
     limit 1
  `.execute(db)
  return rows[0]
}

/** Lists the content of an advisory, one line per package range and per reference. */
export function explainAdvisory({ feed, cveIds, record }: StoredAdvisory): readonly AdvisoryField[] {
  const parsed = parseObject(record) ?? {}
  const single = (name: string, member: string) => {
    const value = textIn(parsed, member)
    return value === null ? [] : [{ name, value }]
  }
  const fields = [
    { name: 'source', value: feed },
    { name: 'cve', value: cveIds.join(', ') || 'none' },
    ...textsIn(parsed, 'aliases').map((value) => ({ name: 'alias', value })),
    ...single('title', 'title'),
    ...single('published', 'published'),
    ...single('modified', 'modified'),
    { name: 'withdrawn', value: isTrueIn(parsed, 'withdrawn') ? 'yes' : 'no' },
    ...single('severity', 'severity'),
    ...objectsIn(parsed, 'scores').map((each) => ({ name: 'score', value: textIn(each, 'vector') ?? '' })),
    ...textsIn(parsed, 'weaknesses').map((value) => ({ name: 'weakness', value })),
    ...objectsIn(parsed, 'products').map((each) => ({ name: 'affected', value: formatPackage(each) })),
    ...objectsIn(parsed, 'references').map((each) => ({ name: 'reference', value: textIn(each, 'url') ?? '' })),
  ]
  return fields.map(({ name, value }) => ({ name, value: stripControls(value) }))
}

function formatPackage(product: JsonObject): string {
  const name = textIn(product, 'purl') ?? textIn(product, 'product') ?? ''
  const bounds = [
    ['from', textIn(product, 'introduced')],
    ['before', textIn(product, 'fixed')],
    ['up to', textIn(product, 'last_affected')],
  ].flatMap(([word, version]) => (version === null ? [] : [`${word} ${version}`]))
  const ecosystem = textIn(product, 'vendor') ?? ''
  return `${name} (${ecosystem}) ${bounds.join(' ') || 'all versions'}`
}
