// Reads the EPSS thresholds that CVEs hold from their stored scores (domain/priority/epss-rule.ts).
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import type { CveKey } from '../domain/cve-id.ts'
import { decodeValues, fromUnits } from '../domain/epss-series/codec.ts'
import {
  advanceHold,
  findThresholds,
  type HeldSince,
  HOLDS_NONE,
  type Thresholds,
} from '../domain/priority/epss-rule.ts'

interface StoredDay {
  readonly day: string
  readonly model: string | null
  readonly thresholds: Thresholds | null
}

const KEYS_PER_QUERY = 1000
const NO_END = 'infinity'

/** Computes the holds from the stored series up to a day. CVEs without a stored score hold nothing. */
export async function readHolds(
  db: Database,
  keys: readonly CveKey[],
  lastDay: string = NO_END,
): Promise<ReadonlyMap<CveKey, HeldSince>> {
  if (keys.length === 0) return new Map()
  const days = await readDays(db, lastDay)
  const holds = new Map<CveKey, HeldSince>(keys.map((key) => [key, HOLDS_NONE]))
  for (let at = 0; at < keys.length; at += KEYS_PER_QUERY)
    for (const { key, month, scores } of await readMonths(db, keys.slice(at, at + KEYS_PER_QUERY))) {
      holds.set(key, advanceMonth(holds.get(key) ?? HOLDS_NONE, { month, scores }, days))
    }
  return holds
}

/** Days without a score or without thresholds change nothing. */
function advanceMonth(
  start: HeldSince,
  { month, scores }: { readonly month: string; readonly scores: Buffer },
  days: ReadonlyMap<string, Thresholds>,
): HeldSince {
  const prefix = month.slice(0, 'YYYY-MM-'.length)
  let held = start
  for (const [index, units] of decodeValues(scores).entries()) {
    const day = prefix + String(index + 1).padStart(2, '0')
    const thresholds = days.get(day)
    if (units !== null && thresholds) held = advanceHold(held, { day, score: fromUnits(units), thresholds })
  }
  return held
}

async function readDays(db: Database, lastDay: string): Promise<ReadonlyMap<string, Thresholds>> {
  const { rows } = await sql<StoredDay>`
    select day::text as day, model_version as model, thresholds
      from catalog.epss_day
     where day <= ${lastDay}::date
  `.execute(db)
  return new Map(rows.map(({ day, model, thresholds }) => [day, findThresholds(model) ?? thresholds ?? []]))
}

async function readMonths(db: Database, keys: readonly CveKey[]) {
  const { rows } = await sql<{ key: CveKey; month: string; scores: Buffer }>`
    select cve_key::text as key, month::text as month, scores
      from catalog.epss_series
     where cve_key = any (${keys}::bigint[])
     order by cve_key, epss_series.month
  `.execute(db)
  return rows
}

export interface ReleaseOfDay {
  readonly model: string | null
  readonly thresholds: Thresholds
  readonly knownFrom: string | null
}

/** Returns undefined for a day without a stored release. */
export async function readReleaseOfDay(db: Database, day: string): Promise<ReleaseOfDay | undefined> {
  const { rows } = await sql<StoredDay & { readonly first: string | null }>`
    select day::text as day, model_version as model, thresholds, (select min(day)::text from catalog.epss_day) as first
      from catalog.epss_day
     where day = ${day}::date
  `.execute(db)
  const [stored] = rows
  if (!stored) return undefined
  const { model, thresholds, first: knownFrom } = stored
  return { model, thresholds: findThresholds(model) ?? thresholds ?? [], knownFrom }
}
