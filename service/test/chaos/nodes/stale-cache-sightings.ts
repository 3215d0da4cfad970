// What a database was seen to hold, and since when: the measure of how old an answer is.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openPool } from '../../../src/database/postgres.ts'

/** Of the parts of a CVE that change apart from each other. They only ever grow; 0 is for what is not there. */
export interface Versions {
  readonly description: number
  readonly epss: number
  readonly kev: number
}

export const PARTS = ['description', 'epss', 'kev'] as const

/** EPSS knows scores of up to 1 alone. */
export const EPSS_STEP = 0.0001

interface Sighting {
  readonly version: number
  readonly atMs: number
}

export interface Sightings {
  /** Each version that was seen, when it was first seen; in order. */
  of(id: string, part: keyof Versions): readonly Sighting[]
  newest(id: string): Versions
  /** For how long the database had shown something newer than this at that time. */
  ageMs(id: string, versions: Versions, atMs: number): number
}

interface Held {
  readonly description: string
  readonly epss?: { readonly score: number } | undefined
  readonly kev?: { readonly product: string } | undefined
}

export function versionsOf({ description, epss, kev }: Held): Versions {
  return {
    description: numberIn(description),
    epss: Math.round((epss?.score ?? 0) / EPSS_STEP),
    kev: numberIn(kev?.product),
  }
}

function numberIn(text = ''): number {
  return Number(/\d+/.exec(text)?.[0] ?? 0)
}

const LOOK_EVERY_MS = 40
const PATIENT = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/** Looks into the database itself, until it is told to stop. */
export function watch(url: string): { readonly sightings: Sightings; stop(): Promise<void> } {
  const pool = openPool(url, 'watch', PATIENT, () => {})
  const { sightings, note } = createSightings()
  const over = new AbortController()
  const look = async () => {
    while (!over.signal.aborted) {
      const rows = await readHeld(pool.db)
      // After the answer: it was visible by then, perhaps longer. So no answer is taken for older than it is.
      const atMs = performance.now()
      for (const { id, ...held } of rows) note(id, versionsOf(held), atMs)
      await sleep(LOOK_EVERY_MS)
    }
  }
  const looking = look()
  return {
    sightings,
    stop: async () => {
      over.abort()
      await looking
      await pool.close()
    },
  }
}

async function readHeld(db: ReturnType<typeof openPool>['db']): Promise<readonly (Held & { id: string })[]> {
  const { rows } = await sql<Held & { id: string }>`
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
  const note = (id: string, versions: Versions, atMs: number) => {
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
  return { sightings, note }
}
