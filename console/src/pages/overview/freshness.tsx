// A strip that shows how fresh the data is. The status page has the details.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleMinus } from 'lucide-react'
import type { Health } from 'vis-sdk'
import {
  type Dataset,
  describeFreshness,
  formatAge,
  isNotSetUp,
  isOutdated,
  listDatasets,
} from '../../data/datasets.ts'
import { healthQuery } from '../../data/queries.ts'
import { Panel } from '../../kit/panel.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { classNames } from '../../text/class-names.ts'
import { titleDataset } from '../../text/source-names.ts'

/** Data sets that change at least daily, which an analyst asks about first. */
const SHOWN = ['nvd', 'cve', 'kev', 'eukev', 'epss', 'ghsa'] as const

export function Freshness() {
  const query = useQuery(healthQuery)
  return (
    <Panel
      title="Freshness of the data"
      actions={
        <Link to="/status" className="text-sm text-accent hover:underline">
          All data sets
        </Link>
      }
    >
      <QueryState query={query} label="Loading the age of the data" lines={2}>
        {(health) => <Strip health={health} />}
      </QueryState>
    </Panel>
  )
}

function Strip({ health }: { readonly health: Health }) {
  const datasets = listDatasets(health).filter((each) => !isNotSetUp(each))
  const stale = datasets.filter(isOutdated)
  return (
    <>
      <p className="mb-2 text-sm text-ink-2">
        {stale.length === 0
          ? `All ${datasets.length} data sets are up to date.`
          : `${stale.length} of ${datasets.length} data sets are stale: ${listTitles(stale.map(({ name }) => name))}.`}
      </p>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3 xl:grid-cols-6">
        {SHOWN.flatMap((name) => {
          const dataset = health.datasets[name]
          if (!dataset) return []
          const isGood = !dataset.stale
          const Icon = isNotSetUp(dataset) ? CircleMinus : isGood ? CircleCheck : CircleAlert
          return [
            <li key={name} title={describeFreshness(dataset)} className="flex items-start gap-1.5 text-sm">
              <Icon
                aria-hidden
                size={15}
                className={classNames(
                  'mt-0.5 shrink-0',
                  isGood ? 'text-good' : isNotSetUp(dataset) ? 'text-ink-3' : 'text-high',
                )}
              />
              <span className="min-w-0">
                <span className="block font-medium">{titleDataset(name)}</span>
                <span className="block text-xs text-ink-3">{describeAge(dataset)}</span>
              </span>
            </li>,
          ]
        })}
      </ul>
    </>
  )
}

function describeAge(dataset: Dataset): string {
  const { stale, age_seconds, data_age_seconds } = dataset
  if (isNotSetUp(dataset)) return 'not set up'
  if (age_seconds === null) return 'never imported'
  // The title shows both ages; here the older one is enough.
  return stale
    ? `stale: ${formatAge(Math.max(age_seconds, data_age_seconds ?? 0))}`
    : `imported ${formatAge(age_seconds)} ago`
}

const MAX_TITLES = 4

/** Lists the titles of the first data sets and how many more there are. */
function listTitles(names: readonly string[]): string {
  const titles = names.slice(0, MAX_TITLES).map(titleDataset).join(', ')
  return names.length > MAX_TITLES ? `${titles} and ${names.length - MAX_TITLES} more` : titles
}
