// Finds a stored advisory by its own id, such as GHSA-jfh8-c2jp-5v3q or GO-2021-0113, and shows its content. Advisories
// without a CVE can be found only this way.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { parseAlias } from '../../domain/source/alias.ts'
import { OSV_SOURCES } from '../../domain/source/osv-sources.ts'
import { DATA_SOURCES } from '../../domain/source/sources.ts'
import { isTrueIn, type JsonObject, objectsIn, parseObject, textIn, textsIn } from '../sources/json.ts'
import { stripControls } from './explain.ts'

/** Id forms of the advisories that are stored individually: GitHub's, and those in OSV format. */
const STORED_FORMS = [DATA_SOURCES.ghsa, ...Object.values(OSV_SOURCES)].flatMap(({ advisories }) => advisories ?? [])

/** Advisory ids for help texts: `GHSA-…, GO-…`. */
export const ADVISORY_IDS = STORED_FORMS.map(({ name }) => `${name}-…`).join(', ')

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
  const alias = parseAlias(text)
  return alias !== undefined && STORED_FORMS.some(({ pattern }) => pattern.test(alias))
}

/** Finds an advisory by its id, in any letter case. */
export async function findAdvisory(db: Database, id: string): Promise<StoredAdvisory | undefined> {
  const ids = [id, parseAlias(id) ?? id]
  const { rows } = await sql<StoredAdvisory>`
    select 'ghsa' as feed, ghsa_id as id, array_remove(array[cve_id], null) as "cveIds", record
      from source.ghsa_advisory
     where ghsa_id = any(${ids})
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
     where id = any(${ids})
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
    ['after', textIn(product, 'after')],
    ['before', textIn(product, 'fixed') ?? textIn(product, 'before')],
    ['up to', textIn(product, 'last_affected')],
  ].flatMap(([word, version]) => (version === null ? [] : [`${word} ${version}`]))
  const ecosystem = textIn(product, 'vendor') ?? ''
  return `${name} (${ecosystem}) ${bounds.join(' ') || 'all versions'}`
}
