import { Type } from 'typebox'
import { instantSchema, orNull } from '../../../contract/schemas.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type Dataset, readDatasets } from './query.ts'

const dataset = Type.Object(
  {
    table_count: Type.Integer({ minimum: 0 }),
    last_success_at: Type.Unsafe<string | null>(orNull(instantSchema())),
    age_seconds: Type.Unsafe<number | null>(orNull(Type.Integer({ minimum: 0 }))),
    stale: Type.Boolean({ description: 'Older than this data set should ever be, or never fetched.' }),
  },
  { additionalProperties: false },
)

const members = {
  status: Type.Enum(['ok', 'degraded'], { description: 'degraded: a data set that every answer needs is stale.' }),
  datasets: Type.Object({ kev: dataset, epss: dataset, acsc: dataset }, { additionalProperties: dataset }),
}

export const health = defineEndpoint({
  name: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Size and age of every data set',
  description: 'Needs no key. The same facts stand at the top level and inside data.',
  access: 'public',
  credits: 0,
  consumesRate: false,
  cacheControl: 'no-store',
  response: { name: 'Health', schema: Type.Object(members, { additionalProperties: false }), beside: members },
  example,
  errors: [],
  answer: async (_input, { db, now }) => {
    const datasets = await readDatasets(db)
    const facts = {
      status: datasets.some((each) => each.isRequired && isStale(each, now)) ? 'degraded' : 'ok',
      datasets: Object.fromEntries(datasets.map((each) => [each.name, render(each, now)])),
    }
    return { data: facts, beside: facts }
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
  // Never negative: the clocks of the feed's machine and of this one may differ.
  return lastSuccessAt && Math.max(0, Math.floor((now.getTime() - lastSuccessAt.getTime()) / 1000))
}

function isStale(each: Dataset, now: Date): boolean {
  const age = ageSeconds(each, now)
  return age === null || age > each.staleAfterSeconds
}
