// Components that could only be judged by a source that the service does not hold, or whose data is stale.
import { sql } from 'kysely'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import { isStale } from '../../domain/data-age.ts'
import type { Component } from './component.ts'

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

/** Returns a function that says whether a component is judged by current data. */
export async function readCurrentData(db: Database, now: Date): Promise<(component: Component) => boolean> {
  const rows = await datasetsStatement(db, [])
  const current = new Set(rows.filter((row) => isCurrent(row, now)).map(({ name }) => name))
  const isHeld = (name: string) => current.has(name)
  return (component) =>
    component.kind === 'cpe' ? PRODUCT_SETS.every(isHeld) : listPackageSets(component).some(isHeld)
}

function listPackageSets({ vendor }: Component): readonly string[] {
  const [type = '', namespace] = vendor?.split('/') ?? []
  const found = [type, `${type}/${namespace}`].find((each) => Object.hasOwn(PACKAGE_SETS, each))
  return found === undefined ? [] : (PACKAGE_SETS[found] ?? [])
}

function isCurrent({ name, last_success_at, stale_after_seconds, upstream_at }: DatasetRow, now: Date): boolean {
  const times = {
    name,
    lastSuccessAt: last_success_at,
    staleAfterSeconds: stale_after_seconds,
    upstreamAt: upstream_at,
  }
  return last_success_at !== null && !isStale(times, now)
}

const datasetsStatement = createFixedStatement(sql<DatasetRow>`
  select name, last_success_at, stale_after_seconds, upstream_at from catalog.dataset
`)
