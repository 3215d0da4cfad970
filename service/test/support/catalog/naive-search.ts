// A search without indexes, pages or cleverness: every CVE is held against every filter, then all are sorted.
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import { keyOf } from './cve-builder.ts'

export interface PlainCve {
  readonly id: string
  readonly key: bigint
  readonly published: number | null
  readonly modified: number
  readonly severity: number | null
  readonly epss: number | null
  readonly status: string
  readonly has_exploit: boolean
  readonly in_kev: boolean
  readonly has_notice: boolean
  readonly has_reference: boolean
  readonly has_patch: boolean
  readonly cpe_count: number
  readonly attack_vector: string | null
  readonly sources: readonly string[]
}

export async function readPlainCves(db: Database): Promise<readonly PlainCve[]> {
  const { rows } = await sql<PlainCve>`
    select catalog.cve_id(cve_key) as id, extract(epoch from published)::float8 as published,
           extract(epoch from modified)::float8 as modified, cve.score as severity, epss.score as epss, status, has_exploit,
           in_kev, has_notice, has_reference, has_patch, cpe_count, attack_vector, sources
      from catalog.cve as cve
      join catalog.epss as epss using (cve_key)
  `.execute(db)
  return rows.map((row) => ({ ...row, key: BigInt(keyOf(row.id)) }))
}

/** Ids of the texts that have the words, by reading all texts. */
export async function idsWithWords(db: Database, q: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select catalog.cve_id(cve_key) as id
      from catalog.cve_document
     where coalesce(
             catalog.search_words(catalog.cve_id(cve_key) || ' ' || (description::json #>> '{}')) @@ catalog.search_query(${q}),
             true
           )
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type Query = Readonly<Record<string, string>>

const BANDS: Readonly<Record<string, readonly [number, number]>> = {
  critical: [9, 10],
  high: [7, 8.9],
  medium: [4, 6.9],
  low: [0.1, 3.9],
}
const LETTERS: Readonly<Record<string, string>> = { N: 'network', A: 'adjacent', L: 'local', P: 'physical' }

const atLeast = (value: number | null, bound: string) => value !== null && value >= Number(bound)
const atMost = (value: number | null, bound: string) => value !== null && value <= Number(bound)
const secondsOf = (day: string) => String(Date.parse(`${day}T00:00:00Z`) / 1000)
const endOf = (day: string) => String(Date.parse(`${day}T23:59:59Z`) / 1000)
const is = (fact: boolean, asked: string) => fact === (asked === 'true')

const PASSES: Readonly<Record<string, (cve: PlainCve, asked: string) => boolean>> = {
  severity: ({ severity }, asked) =>
    asked.split(',').some((name) => {
      const [least, most] = BANDS[name] ?? [1, 0]
      return severity !== null && severity >= least && severity <= most
    }),
  severity_min: ({ severity }, asked) => atLeast(severity, asked),
  severity_max: ({ severity }, asked) => atMost(severity, asked),
  cvss_min: ({ severity }, asked) => atLeast(severity, asked),
  exploit: (cve, asked) => is(cve.has_exploit || cve.in_kev, asked),
  exploitable: (cve, asked) => is(cve.has_exploit, asked),
  kev: (cve, asked) => is(cve.in_kev, asked),
  has_acsc: (cve, asked) => is(cve.has_notice, asked),
  has_references: (cve, asked) => is(cve.has_reference, asked),
  epss_min: ({ epss }, asked) => atLeast(epss, asked),
  epss_max: ({ epss }, asked) => atMost(epss, asked),
  cpe_count_min: ({ cpe_count }, asked) => atLeast(cpe_count, asked),
  published_after: ({ published }, asked) => atLeast(published, secondsOf(asked)),
  published_before: ({ published }, asked) => atMost(published, endOf(asked)),
  modified_after: ({ modified }, asked) => atLeast(modified, secondsOf(asked)),
  modified_before: ({ modified }, asked) => atMost(modified, endOf(asked)),
  vendor: ({ sources }, asked) => sources.includes(asked),
  attack_vector: ({ attack_vector }, asked) => attack_vector === (LETTERS[asked] ?? asked),
  patched: (cve, asked) => is(cve.has_patch, asked),
  status: ({ status }, asked) => asked.split(',').includes(status),
}

export function naiveSearch(
  cves: readonly PlainCve[],
  query: Query,
  worded: ReadonlySet<string> | undefined,
): string[] {
  const filters = Object.entries(query).filter(([name]) => name in PASSES)
  const kept = cves.filter(
    (cve) => (worded?.has(cve.id) ?? true) && filters.every(([name, asked]) => PASSES[name]?.(cve, asked)),
  )
  const [field = '', way] = (query['sort'] ?? 'published_desc').split('_')
  return kept.toSorted(inOrder(field, way === 'desc' ? -1 : 1)).map(({ id }) => id)
}

function inOrder(field: string, way: 1 | -1) {
  return (a: PlainCve, b: PlainCve) => {
    const [x, y] = [sortValueOf(a, field), sortValueOf(b, field)]
    if ((x === null) !== (y === null)) return x === null ? 1 : -1
    if (x !== null && y !== null && x !== y) return (x < y ? -1 : 1) * way
    return (a.key < b.key ? -1 : 1) * way
  }
}

function sortValueOf(cve: PlainCve, field: string): number | null {
  switch (field) {
    case 'severity':
      return cve.severity
    case 'epss':
      return cve.epss
    case 'modified':
      return cve.modified
    default:
      return cve.published
  }
}
