// Records which versions of a CVE a database held, and since when, to compute how old an answer is.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openPool } from '../../../service/src/database/postgres.ts'

/**
 * Version numbers of the parts of a CVE that change separately. Version numbers only grow; 0 means that the part is
 * absent.
 */
export interface Versions {
  readonly description: number
  readonly epss: number
  readonly kev: number
}

export const PARTS = ['description', 'epss', 'kev'] as const

/** Test CVEs encode version n of the EPSS part as the score n × 0.0001, because EPSS scores are at most 1. */
export const EPSS_STEP = 0.0001

interface Sighting {
  readonly version: number
  readonly atMs: number
}

export interface Sightings {
  /** Returns the versions of a CVE that the database held, with the time of the first sighting, in ascending order. */
  of(id: string, part: keyof Versions): readonly Sighting[]
  newest(id: string): Versions
  /** Returns for how long the database had held a newer version of a CVE at the given time; 0 if it held none. */
  ageMs(id: string, versions: Versions, atMs: number): number
}

interface StoredCve {
  readonly description: string
  readonly epss?: { readonly score: number } | undefined
  readonly kev?: { readonly product: string } | undefined
}

export function toVersions({ description, epss, kev }: StoredCve): Versions {
  return {
    description: parseNumber(description),
    epss: Math.round((epss?.score ?? 0) / EPSS_STEP),
    kev: parseNumber(kev?.product),
  }
}

function parseNumber(text = ''): number {
  return Number(/\d+/.exec(text)?.[0] ?? 0)
}

const POLL_INTERVAL_MS = 40
const POOL_LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/** Polls the CVE versions in the database until `stop` is called. */
export function startWatching(url: string): { readonly sightings: Sightings; stop(): Promise<void> } {
  const pool = openPool(url, 'watch', POOL_LIMITS, () => {})
  const { sightings, record } = createSightings()
  const stopping = new AbortController()
  const poll = async () => {
    while (!stopping.signal.aborted) {
      const rows = await readCves(pool.db)
      // The time is taken after the query. The version may have been visible earlier, so the computed age of an answer
      // is never too high.
      const atMs = performance.now()
      for (const { id, ...stored } of rows) record(id, toVersions(stored), atMs)
      await sleep(POLL_INTERVAL_MS)
    }
  }
  const polling = poll()
  return {
    sightings,
    stop: async () => {
      stopping.abort()
      await polling
      await pool.close()
    },
  }
}

async function readCves(db: ReturnType<typeof openPool>['db']): Promise<readonly (StoredCve & { id: string })[]> {
  const { rows } = await sql<StoredCve & { id: string }>`
    select catalog.cve_id(cve.cve_key) as id,
           document.description,
           json_build_object('score', coalesce(epss.score, 0)) as epss,
           json_build_object('product', coalesce(kev.product, '')) as kev
      from catalog.cve as cve
           join catalog.cve_document as document on document.cve_key = cve.cve_key
           left join catalog.epss as epss on epss.cve_key = cve.cve_key
           left join catalog.kev as kev on kev.cve_key = cve.cve_key
  `.execute(db)
  return rows
}

function createSightings() {
  const seen = new Map<string, Sighting[]>()
  const of = (id: string, part: keyof Versions): readonly Sighting[] => seen.get(`${id} ${part}`) ?? []
  const newest = (id: string, part: keyof Versions) => of(id, part).at(-1)?.version ?? 0
  const record = (id: string, versions: Versions, atMs: number) => {
    for (const part of PARTS) {
      const version = versions[part]
      if (version > newest(id, part)) seen.set(`${id} ${part}`, [...of(id, part), { version, atMs }])
    }
  }
  const agesMs = (id: string, versions: Versions, atMs: number) =>
    PARTS.map((part) => {
      const newer = of(id, part).find(({ version }) => version > versions[part])
      return newer ? atMs - newer.atMs : 0
    })
  const sightings: Sightings = {
    of,
    newest: (id) => ({
      description: newest(id, 'description'),
      epss: newest(id, 'epss'),
      kev: newest(id, 'kev'),
    }),
    ageMs: (id, versions, atMs) => Math.max(0, ...agesMs(id, versions, atMs)),
  }
  return { sightings, record }
}
