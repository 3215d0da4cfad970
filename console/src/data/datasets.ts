// Descriptions of the data sets in /health.
import type { Health } from 'vis-sdk'
import { titleDataset } from '../text/source-names.ts'

export type Dataset = Health['datasets'][string]

/** Lists the data sets that the service reports, sorted by title: stale ones first, those that are not set up last. */
export function listDatasets(health: Health): readonly (Dataset & { readonly name: string })[] {
  return Object.entries(health.datasets)
    .map(([name, dataset]) => ({ name, ...dataset }))
    .toSorted(
      (a, b) =>
        Number(isOutdated(b)) - Number(isOutdated(a)) ||
        Number(isNotSetUp(a)) - Number(isNotSetUp(b)) ||
        titleDataset(a.name).localeCompare(titleDataset(b.name), 'en'),
    )
}

/** Describes the first load of the catalog; undefined once it is finished. */
export function describeLoading({ loading }: Health): string | undefined {
  if (loading === null) return undefined
  const { feeds_done, feeds_total, cves_done, cves_total } = loading
  const feeds = `${feeds_done} of ${feeds_total} feeds have run`
  if (cves_total === null) return `${feeds}, no CVE is published yet`
  return `${feeds}, ${cves_done.toLocaleString('en')} of ${cves_total.toLocaleString('en')} CVEs are published`
}

/**
 * Returns whether the data set was never provided to the service: the import found no file, and none ever succeeded.
 * /health reports such a data set as stale, too.
 */
export function isNotSetUp({ last_success_at, last_run_result }: Dataset): boolean {
  return last_success_at === null && last_run_result === 'absent'
}

/** Returns the names of the data sets of which nothing was ever stored. */
export function listNeverLoaded(health: Health | undefined): readonly string[] {
  return Object.entries(health?.datasets ?? {}).flatMap(([name, { state }]) => (state === 'never_loaded' ? [name] : []))
}

/** Returns whether a data set that is set up is stale. */
export function isOutdated(dataset: Dataset): boolean {
  return dataset.stale && !isNotSetUp(dataset)
}

/** Describes why a data set is stale, or that it is current. */
export function describeFreshness(dataset: Dataset): string {
  const { stale, state, last_success_at, last_run_result } = dataset
  if (isNotSetUp(dataset)) return 'Not set up: no file was found'
  if (state === 'never_loaded') return 'Never loaded'
  if (last_success_at === null) return 'Never imported completely'
  if (!stale) return `Up to date${describePart(dataset)}`
  if (last_run_result === 'refused') return 'Stale: the last import was refused, because the new data was implausible'
  if (last_run_result !== null && last_run_result !== 'succeeded') return 'Stale: the last import failed'
  return `Stale: ${describeAges(dataset)}`
}

/** What "up to date" does not say: whether the data set holds all that its publisher has. */
function describePart({ complete, index_count: listed, unheld_count: unheld }: Dataset): string {
  if (complete) return ''
  if (listed === null) return ', completeness not known'
  return `, partial: ${unheld.toLocaleString('en')} of ${listed.toLocaleString('en')} records are missing`
}

/** The data sets with records of most CVEs. Without all of their records, silence says little. */
const GENERAL = ['nvd', 'cve'] as const

/** Lists which of the general data sets are missing or a part, such as "NVD is loaded in part". */
export function describeGeneralGaps(health: Health | undefined): readonly string[] {
  return GENERAL.flatMap((name) => {
    const dataset = health?.datasets[name]
    if (!dataset || dataset.complete) return []
    if (dataset.state === 'never_loaded') return `${titleDataset(name)} is not loaded`
    return dataset.index_count === null
      ? `whether ${titleDataset(name)} is complete is not known`
      : `${titleDataset(name)} is loaded in part`
  })
}

/** An import less than an hour old cannot make a data set stale: every data set may be older than that. */
const FRESH_IMPORT_SECONDS = 3600

/** Describes the ages that can make a data set stale. Either can be too high, and /health does not say which. */
function describeAges({ age_seconds, data_age_seconds }: Dataset): string {
  const imported = `imported ${formatAge(age_seconds ?? 0)} ago`
  if (data_age_seconds === null) return imported
  const data = `newest data ${formatAge(data_age_seconds)} old`
  return (age_seconds ?? 0) < FRESH_IMPORT_SECONDS ? data : `${imported}, ${data}`
}

const RESULTS: Readonly<Record<string, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  refused: 'refused, implausible data',
  fenced: 'stopped: another worker runs the feed',
  absent: 'no file found',
  stopped: 'stopped',
  abandoned: 'did not end',
}

/** Describes the result of the last import. */
export function describeRun(result: string | null): string {
  return result === null ? 'never ran' : (RESULTS[result] ?? result)
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Formats an age: `3 days`, `5 hours`, `2 minutes`. */
export function formatAge(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? (['second', 1] as const)
  const count = Math.floor(seconds / length)
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`
}
