// One line about how fresh the data is. The status page has the details.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Health } from 'vis-sdk'
import {
  type Dataset,
  describeFreshness,
  describeLoading,
  formatAge,
  isNotSetUp,
  isOutdated,
  listDatasets,
} from '../../data/datasets.ts'
import { healthQuery } from '../../data/queries.ts'
import { classNames } from '../../text/class-names.ts'
import { titleDataset } from '../../text/source-names.ts'

/** Data sets that change at least daily, which an analyst asks about first. */
const SHOWN = ['nvd', 'cve', 'kev', 'epss'] as const
const MAX_STALE = 3

export function Freshness() {
  const { data, error } = useQuery(healthQuery)
  return (
    <p className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1.5 px-0.5 text-xs text-ink-3">
      {data ? (
        <Parts health={data} />
      ) : error ? (
        'The age of the data could not be read.'
      ) : (
        'Loading the age of the data'
      )}
      <Link to="/status" className="text-accent underline">
        All feeds
      </Link>
    </p>
  )
}

function Parts({ health }: { readonly health: Health }) {
  const loading = describeLoading(health)
  if (loading !== undefined) return <Part tone="bg-high-solid">{`The first load is running: ${loading}`}</Part>
  const all = listDatasets(health)
  const datasets = all.filter((each) => !isNotSetUp(each))
  const missing = all.length - datasets.length
  const stale = datasets.filter(isOutdated)
  const fresh = SHOWN.flatMap((name) => {
    const dataset = health.datasets[name]
    return dataset && !dataset.stale ? [{ ...dataset, name }] : []
  })
  return (
    <>
      {fresh.map((dataset) => (
        <Part key={dataset.name} tone="bg-good-solid" title={describeFreshness(dataset)}>
          {`${titleDataset(dataset.name)} ${describeAge(dataset)}`}
        </Part>
      ))}
      {stale.slice(0, MAX_STALE).map((dataset) => (
        <Part key={dataset.name} tone="bg-high-solid" title={describeFreshness(dataset)}>
          {`${titleDataset(dataset.name)} is stale: ${formatAge(Math.max(dataset.age_seconds ?? 0, dataset.data_age_seconds ?? 0))} old`}
        </Part>
      ))}
      {stale.length > MAX_STALE && <span>{`${stale.length - MAX_STALE} more are stale`}</span>}
      <span>{`${datasets.length - stale.length} of ${datasets.length} data sets are up to date${missing > 0 ? `, ${missing} more ${missing === 1 ? 'is' : 'are'} not set up` : ''}`}</span>
    </>
  )
}

const describeAge = ({ age_seconds }: Dataset) => (age_seconds === null ? '' : `${formatAge(age_seconds)} ago`)

interface PartProps {
  readonly tone: string
  readonly title?: string
  readonly children: string
}

function Part({ tone, title, children }: PartProps) {
  return (
    <span title={title} className="inline-flex items-center gap-2">
      <span aria-hidden className={classNames('size-2 rounded-full', tone)} />
      {children}
    </span>
  )
}
