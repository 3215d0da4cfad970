import { sql } from 'kysely'
import { type CveRow, getDefaultFields } from '../contract/record/cve-fields.ts'
import { createFixedStatement, type FixedStatement } from '../database/fixed-statement.ts'
import type { Database } from '../database/postgres.ts'
import type { CveKey } from '../domain/cve-id.ts'
import { EPSS_COLUMNS, EPSS_MODEL_CHANGES, EPSS_MONTHS, RECORD_JOINS, recordColumns } from './columns.ts'
import type { Selection } from './selection.ts'
import { describeSelection, EVERYTHING } from './selection-parameters.ts'

/** Every member of a single CVE, plus the hashes used for ETags. */
export interface RecordRow extends CveRow {
  /** SHA-256 of the published CVE without its KEV entry and EPSS score. */
  readonly content_hash: Buffer
  readonly kev_hash: Buffer | null
  readonly enriched_at: Date
}

/** Returns the rows in the order of `keys`. */
export async function loadRecords(
  db: Database,
  selection: Selection,
  keys: readonly CveKey[],
): Promise<readonly CveRow[]> {
  if (keys.length === 0) return []
  if (hasDefaultMembers(selection)) return getPreparedLoad(selection)(db, [keys])
  return (await selectRecords(selection, keys).execute(db)).rows
}

/** Only for the few selections without `fields`, because each connection prepares the statements. */
const preparedLoads = new Map<string, FixedStatement<CveRow>>()

function hasDefaultMembers({ form, fields }: Selection): boolean {
  return getDefaultFields(form).every((field) => fields.includes(field))
}

function getPreparedLoad(selection: Selection): FixedStatement<CveRow> {
  const name = describeSelection(selection)
  const statement = preparedLoads.get(name) ?? createFixedStatement(selectRecords(selection, []))
  preparedLoads.set(name, statement)
  return statement
}

const selectRecords = (selection: Selection, keys: readonly CveKey[]) => sql<CveRow>`
  select ${recordColumns(selection)}
    from unnest(${keys}::bigint[]) with ordinality as cve (cve_key, place)
         ${RECORD_JOINS}
   order by cve.place
`

/** Names the sources that have a CVE without a record but do not describe it (decision E32), such as `epss`. */
export async function listKnowingSources(db: Database, key: CveKey): Promise<readonly string[]> {
  const [row] = await knowingSourcesStatement(db, [key])
  return row?.sources ?? []
}

const knowingSourcesStatement = createFixedStatement(sql<{ readonly sources: readonly string[] }>`
  select catalog.knowing_sources(${'a key'}) as sources
`)

/** Returns undefined for an unknown CVE. */
export async function readRecord(db: Database, key: CveKey): Promise<RecordRow | undefined> {
  const [row] = await recordStatement(db, [key])
  return row
}

type EpssColumn = Extract<keyof RecordRow, `epss_${string}`>

export type KevAndEpss = Pick<RecordRow, 'kev' | 'kev_hash' | EpssColumn>

/** Reads the two members that can change while the rest of a record stays the same. */
export async function readKevAndEpss(db: Database, key: CveKey): Promise<KevAndEpss | undefined> {
  const { rows } = await sql<KevAndEpss>`
    select ${EPSS_COLUMNS}, kev.summary as kev, kev.content_hash as kev_hash
      from (values (${key}::bigint)) as cve (cve_key)
           left join catalog.kev as kev on kev.cve_key = cve.cve_key
           left join catalog.epss as epss on epss.cve_key = cve.cve_key
           left join catalog.epss_release as epss_release on true
  `.execute(db)
  return rows[0]
}

export type EpssMonths = Pick<RecordRow, EpssColumn>

/** Reads the scores of `epss_trend` together with the release to which they belong. */
export async function readEpssMonths(db: Database, key: CveKey): Promise<EpssMonths | undefined> {
  const [row] = await epssMonthsStatement(db, [key])
  return row
}

const epssMonthsStatement = createFixedStatement(sql<EpssMonths>`
  select ${EPSS_COLUMNS}, ${EPSS_MONTHS}, ${EPSS_MODEL_CHANGES}
    from (values (${'a key'}::bigint)) as cve (cve_key)
         left join catalog.epss as epss on epss.cve_key = cve.cve_key
         left join catalog.epss_release as epss_release on true
`)

const recordStatement = createFixedStatement(sql<RecordRow>`
  select ${recordColumns(EVERYTHING)}, cve.content_hash, kev.content_hash as kev_hash
    from catalog.cve as cve
         ${RECORD_JOINS}
   where cve.cve_key = ${'a key'}
`)
