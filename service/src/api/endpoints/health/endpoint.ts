import { Type } from 'typebox'
import { instantSchema, orNull } from '../../../contract/schemas.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type Dataset, readDatasetsOrLastKnown } from './query.ts'

const dataset = Type.Object(
  {
    table_count: Type.Integer({ minimum: 0, description: 'Number of records of the data set.' }),
    last_success_at: Type.Unsafe<string | null>(
      orNull(instantSchema('When the data set was last imported successfully; null before the first import.')),
    ),
    age_seconds: Type.Unsafe<number | null>(
      orNull(Type.Integer({ minimum: 0, description: 'Seconds since the last successful import.' })),
    ),
    stale: Type.Boolean({ description: 'Whether the data set is older than its maximum age, or was never imported.' }),
  },
  { additionalProperties: false },
)

const members = {
  status: Type.Enum(['ok', 'degraded'], {
    description:
      'degraded: at least one required data set is stale, or a database is not reachable. The values of the data sets are then the last known ones.',
  }),
  datasets: Type.Object(
    { kev: dataset, epss: dataset, acsc: dataset },
    { additionalProperties: dataset, description: 'The data sets by name.' },
  ),
}

export const health = defineEndpoint({
  name: 'health',
  method: 'GET',
  path: '/health',
  tag: 'Service',
  summary: 'Get the size and age of every data set',
  description: 'Needs no key. The top level of the response repeats the content of data.',
  access: 'public',
  credits: 0,
  consumesRate: false,
  work: 'none',
  cacheControl: 'no-store',
  response: { name: 'Health', schema: Type.Object(members, { additionalProperties: false }), topLevel: members },
  example,
  errors: [],
  answer: async (_input, { checks, now, isAccountsReachable }) => {
    const { datasets, isCurrent } = await readDatasetsOrLastKnown(checks, now)
    const isFresh = datasets.every((each) => !each.isRequired || !isStale(each, now))
    const state = {
      status: isCurrent && isFresh && isAccountsReachable() ? 'ok' : 'degraded',
      datasets: Object.fromEntries(datasets.map((each) => [each.name, render(each, now)])),
    }
    return { data: state, topLevel: state }
  },
})

function render(each: Dataset, now: Date) {
  return {
    table_count: each.tableCount,
    last_success_at: each.lastSuccessAt && formatInstant(each.lastSuccessAt),
    age_seconds: ageSeconds(each, now),
    stale: isStale(each, now),
  }
}

function ageSeconds({ lastSuccessAt }: Dataset, now: Date): number | null {
  // Avoids a negative age of a data set: if the clock of the worker, which stored the time, is ahead of the clock of
  // this node, the age is reported as 0.
  return lastSuccessAt && Math.max(0, Math.floor((now.getTime() - lastSuccessAt.getTime()) / 1000))
}

function isStale(each: Dataset, now: Date): boolean {
  const age = ageSeconds(each, now)
  return age === null || age > each.staleAfterSeconds
}
