import { sql } from 'kysely'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import { toCveId } from '../../domain/cve-id.ts'

export interface Subject {
  /** The CVE's id, or the advisory's if it has no CVE. */
  readonly id: string
  readonly isCve: boolean
  /** Rank according to the priority policy; null for an advisory. */
  readonly rank: number | null
  readonly score: number | null
  readonly isInKev: boolean
  readonly epss: number | null
}

interface SubjectRow {
  readonly subject_key: string
  readonly advisory_id: string | null
  readonly rank: number | null
  readonly score: number | null
  readonly in_kev: boolean
  readonly epss: number | null
}

/** Takes keys of CVEs and of advisories, which are negative. */
export async function readSubjects(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
  const cves = keys.filter((key) => !isAdvisory(key))
  const advisories = keys.filter(isAdvisory).map((key) => key.slice(1))
  const rows = keys.length === 0 ? [] : await subjectsStatement(db, [cves, advisories])
  return new Map(rows.map((row) => [row.subject_key, toSubject(row)]))
}

export const isAdvisory = (key: string): boolean => key.startsWith('-')

function toSubject({ subject_key, advisory_id, rank, score, in_kev, epss }: SubjectRow): Subject {
  const isCve = advisory_id === null
  return { id: advisory_id ?? toCveId(subject_key), isCve, rank, score, isInKev: in_kev, epss }
}

const subjectsStatement = createFixedStatement(sql<SubjectRow>`
  select cve.cve_key as subject_key, null as advisory_id, cve.priority as rank, cve.score::float8 as score, cve.in_kev,
         epss.score::float8 as epss
    from unnest(${[]}::bigint[]) as wanted (cve_key)
         join catalog.cve as cve on cve.cve_key = wanted.cve_key
         left join catalog.epss as epss on epss.cve_key = cve.cve_key
  union all
  select -advisory.advisory_key::bigint, advisory.id, null, advisory.score::float8, false, null
    from unnest(${[]}::integer[]) as wanted (advisory_key)
         join catalog.advisory as advisory on advisory.advisory_key = wanted.advisory_key
`)
