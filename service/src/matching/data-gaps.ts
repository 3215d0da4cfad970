// Finds components that no source can assess, or only sources whose data is stale.
import { sql } from 'kysely'
import { createFixedStatement } from '../database/fixed-statement.ts'
import type { Database } from '../database/postgres.ts'
import type { Component } from '../domain/component/component.ts'
import { findPackageSources, LEVEL_SOURCES, PRODUCT_SOURCES } from '../domain/source/coverage.ts'
import { type DataSetTimes, isStale } from '../domain/source/data-age.ts'

interface DatasetRow {
  readonly name: string
  readonly last_success_at: Date | null
  readonly stale_after_seconds: number
  readonly upstream_at: Date | null
}

/** `none`: the service has no data with which to assess the component. `stale`: the data is too old. */
export type Coverage = 'current' | 'stale' | 'none'

export interface Coverages {
  readonly findCoverage: (component: Component) => Coverage
  /** Coverage of the data from which levels are computed. */
  readonly levels: Coverage
}

type IsTooOld = (times: DataSetTimes, now: Date) => boolean

export async function readCurrentData(db: Database, now: Date): Promise<(component: Component) => boolean> {
  const { findCoverage } = judgeCoverage(await readDataSets(db), now)
  return (component) => findCoverage(component) === 'current'
}

export function judgeCoverage(sets: readonly DataSetTimes[], now: Date, isTooOld: IsTooOld = isStale): Coverages {
  const byName = new Map(sets.map((each) => [each.name, each]))
  const rate = (name: string): Coverage => {
    const times = byName.get(name)
    if (times === undefined || times.lastSuccessAt === null) return 'none'
    return isTooOld(times, now) ? 'stale' : 'current'
  }
  const [products, levels] = [findWorst(PRODUCT_SOURCES.map(rate)), findWorst(LEVEL_SOURCES.map(rate))]
  return {
    levels,
    findCoverage: ({ kind, vendor }) =>
      kind === 'cpe' ? products : findBest(findPackageSources(vendor ?? '').map(rate)),
  }
}

const COVERAGES: readonly Coverage[] = ['current', 'stale', 'none']

const findBest = (coverages: readonly Coverage[]) => COVERAGES.find((each) => coverages.includes(each)) ?? 'none'
const findWorst = (coverages: readonly Coverage[]) => COVERAGES.findLast((each) => coverages.includes(each)) ?? 'none'

export async function readDataSets(db: Database): Promise<readonly DataSetTimes[]> {
  const rows = await datasetsStatement(db, [])
  return rows.map(({ name, last_success_at, stale_after_seconds, upstream_at }) => ({
    name,
    lastSuccessAt: last_success_at,
    staleAfterSeconds: stale_after_seconds,
    upstreamAt: upstream_at,
  }))
}

const datasetsStatement = createFixedStatement(sql<DatasetRow>`
  select name, last_success_at, stale_after_seconds, upstream_at from catalog.dataset
`)
