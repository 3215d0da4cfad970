// Builds records with fixed versions, and formats the fixes that are chosen from them.
import type { SourceRecord } from '../../../src/catalog/model/source-data.ts'
import { configurations, cve, match, nvd, record, resolved } from '../builders.ts'

export type Versions = readonly Readonly<Record<string, unknown>>[]

export const below = (lessThan: string, version = '0') => ({ version, lessThan, status: 'affected' })
export const product = (versions: Versions, more = {}) => ({
  vendor: 'ExampleSoft',
  product: 'Router',
  versions,
  ...more,
})
export const byCna = (versions: Versions, modified?: string) =>
  cve({ cna: { affected: [product(versions)] } }, modified)
export const until = (versionEndExcluding: string, versionStartIncluding?: string) =>
  match('router', { versionEndExcluding, ...(versionStartIncluding && { versionStartIncluding }) })
export const byNvd = (...ends: readonly ReturnType<typeof until>[]) => nvd({ configurations: configurations(...ends) })
export const npm = (fixed: string, introduced: string | null = null) => ({
  vendor: 'npm',
  product: 'router',
  status: 'affected',
  purl: 'pkg:npm/router',
  introduced,
  fixed,
})
export const rpm = (fixed: string, name = 'router', release = 'AlmaLinux:9') => ({
  vendor: release,
  product: name,
  status: 'affected',
  purl: `pkg:rpm/almalinux/${name}`,
  fixed,
})
export const alma = (...products: readonly ReturnType<typeof rpm>[]) =>
  record('osv', { database: 'almalinux', products })

/** Shows a fix as `product [branch] version source`, followed by its rivals as `| version source`. */
export const show = (records: readonly SourceRecord[]) =>
  resolved(records).fixes.map(({ product: name, branch, version, by, rivals }) => {
    const own = `${name}${branch === null ? '' : ` [${branch}]`} ${version} ${by}`
    return [own, ...rivals.map((each) => `${each.version} ${each.by}`)].join(' | ')
  })

export const KERNEL = [
  { version: '5.10', status: 'affected' },
  { version: '5.15.140', lessThanOrEqual: '5.15.*', status: 'unaffected' },
  { version: '6.1.60', lessThanOrEqual: '6.1.*', status: 'unaffected' },
  { version: '6.7', lessThanOrEqual: '*', status: 'unaffected' },
]
