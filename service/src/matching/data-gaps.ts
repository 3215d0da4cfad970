// Components that could only be judged by a source that the service does not hold, or whose data is stale.
import { sql } from 'kysely'
import { createFixedStatement } from '../database/fixed-statement.ts'
import type { Database } from '../database/postgres.ts'
import type { Component } from '../domain/component/component.ts'
import { type DataSetTimes, isStale } from '../domain/source/data-age.ts'

/** Data sets that say which versions of a product are affected. All of them are needed: each has CVEs that others lack. */
const PRODUCT_SETS = ['nvd', 'cve']

/**
 * Data sets that know packages, by type of the purl, or by type and namespace for packages of distributions. One of them is
 * enough. No data set knows packages of other types and distributions.
 */
const PACKAGE_SETS: Readonly<Record<string, readonly string[]>> = {
  bitnami: ['osv-bitnami'],
  cargo: ['ghsa', 'osv-rustsec'],
  composer: ['ghsa'],
  'deb/debian': ['debian'],
  gem: ['ghsa'],
  githubactions: ['ghsa'],
  golang: ['ghsa', 'osv-go'],
  hex: ['ghsa'],
  maven: ['ghsa'],
  npm: ['ghsa'],
  nuget: ['ghsa'],
  pub: ['ghsa'],
  pypi: ['ghsa', 'osv-pypa'],
  'rpm/almalinux': ['osv-almalinux'],
  'rpm/redhat': ['redhat'],
  swift: ['ghsa'],
}

interface DatasetRow {
  readonly name: string
  readonly last_success_at: Date | null
  readonly stale_after_seconds: number
  readonly upstream_at: Date | null
}

/** Data sets that decide about the level of a CVE. Both are needed. */
const LEVEL_SETS = ['kev', 'epss']

/** `none`: the service holds no data that could judge the component. `stale`: the data is too old. */
export type Coverage = 'current' | 'stale' | 'none'

export interface Coverages {
  readonly findCoverage: (component: Component) => Coverage
  /** Coverage of the data from which levels are computed. */
  readonly levels: Coverage
}

/** Returns whether a data set with data is too old. */
type IsTooOld = (times: DataSetTimes, now: Date) => boolean

/** Returns a function that says whether a component is judged by current data. */
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
  const [products, levels] = [findWorst(PRODUCT_SETS.map(rate)), findWorst(LEVEL_SETS.map(rate))]
  return {
    levels,
    findCoverage: (component) => (component.kind === 'cpe' ? products : findBest(listPackageSets(component).map(rate))),
  }
}

/** Best first. */
const COVERAGES: readonly Coverage[] = ['current', 'stale', 'none']

const findBest = (coverages: readonly Coverage[]) => COVERAGES.find((each) => coverages.includes(each)) ?? 'none'
const findWorst = (coverages: readonly Coverage[]) => COVERAGES.findLast((each) => coverages.includes(each)) ?? 'none'

function listPackageSets({ vendor }: Component): readonly string[] {
  const [type = '', namespace] = vendor?.split('/') ?? []
  const found = [type, `${type}/${namespace}`].find((each) => Object.hasOwn(PACKAGE_SETS, each))
  return found === undefined ? [] : (PACKAGE_SETS[found] ?? [])
}

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
