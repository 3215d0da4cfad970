import { sql } from 'kysely'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import { toCveId } from '../../domain/cve-id.ts'
import type { AdvisoryKind } from '../../domain/priority/advisory-level.ts'

export interface Subject {
  /** The CVE's id, or the advisory's if it has no CVE. */
  readonly id: string
  readonly isCve: boolean
  /** Ids of the same vulnerability in other databases. */
  readonly aliases: readonly { readonly alias: string; readonly source: string }[]
  /** Null for a vulnerability. */
  readonly kind: AdvisoryKind | null
  /** Rank of the level; null for a rejected CVE. */
  readonly rank: number | null
  readonly score: number | null
  /** A source's word for the severity of an advisory without a score. */
  readonly severityWord: string | null
  readonly isInKev: boolean
  readonly epss: number | null
  /** The facts from which an advisory's priority follows, as JSON text; null for a CVE, whose record has them. */
  readonly facts: string | null
}

interface SubjectRow {
  readonly subject_key: string
  readonly advisory_id: string | null
  readonly aliases: Subject['aliases']
  readonly kind: AdvisoryKind | null
  readonly rank: number | null
  readonly score: number | null
  readonly severity_word: string | null
  readonly in_kev: boolean
  readonly epss: number | null
  readonly facts: string | null
}

/** Takes keys of CVEs and of advisories, which are negative. */
export async function readSubjects(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
  const cves = keys.filter((key) => !isAdvisory(key))
  const advisories = keys.filter(isAdvisory).map((key) => key.slice(1))
  const rows = keys.length === 0 ? [] : await subjectsStatement(db, [cves, advisories])
  return new Map(rows.map((row) => [row.subject_key, toSubject(row)]))
}

export const isAdvisory = (key: string): boolean => key.startsWith('-')

function toSubject({ subject_key, advisory_id, severity_word, in_kev, ...row }: SubjectRow): Subject {
  const isCve = advisory_id === null
  return { ...row, id: advisory_id ?? toCveId(subject_key), isCve, severityWord: severity_word, isInKev: in_kev }
}

/** A CVE can be in dozens of errata. */
const MAX_ALIASES = 50

const subjectsStatement = createFixedStatement(sql<SubjectRow>`
  select cve.cve_key as subject_key, null as advisory_id,
         array(
           select json_build_object('alias', alias, 'source', source) from catalog.alias where alias.cve_key = cve.cve_key
            order by alias limit ${sql.lit(MAX_ALIASES)}
         ) as aliases,
         null as kind, cve.priority as rank, cve.score::float8 as score, null as severity_word, cve.in_kev,
         epss.score::float8 as epss, null as facts
    from unnest(${[]}::bigint[]) as wanted (cve_key)
         join catalog.cve as cve on cve.cve_key = wanted.cve_key
         left join catalog.epss as epss on epss.cve_key = cve.cve_key
  union all
  select -advisory.advisory_key::bigint, advisory.id,
         array(select json_build_object('alias', alias, 'source', advisory.source) from unnest(advisory.aliases) as alias),
         advisory.kind, advisory.priority,
         advisory.score::float8, advisory.severity_word, false, null, advisory.decision_facts
    from unnest(${[]}::integer[]) as wanted (advisory_key)
         join catalog.advisory as advisory on advisory.advisory_key = wanted.advisory_key
`)
