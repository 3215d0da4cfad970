import { Type } from 'typebox'
import { type Loading, loadingSchema } from '../../../contract/response/loading.ts'
import { instantSchema, orNull, wordOrNull } from '../../../contract/response/schemas.ts'
import { formatInstant } from '../../../domain/instant.ts'
import {
  AS_OF_BASES,
  ageInSeconds,
  DATA_SET_STATES,
  findDataSetState,
  isComplete,
  isStale,
} from '../../../domain/source/data-age.ts'
import { RUN_OUTCOMES } from '../../../domain/source/run-outcome.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type Dataset, readStateOrLastKnown } from './query.ts'

const dataset = Type.Object(
  {
    table_count: Type.Integer({
      minimum: 0,
      description: 'Number of records of the data set; also 0 if it was never loaded, as state says.',
    }),
    state: Type.Enum([...DATA_SET_STATES], {
      description:
        'never_loaded: nothing was ever stored, so that a record without data from it says nothing. partly_loaded: records are stored, but no import has ended successfully. unknown: the service has not read its database yet. stale or fresh: as the member stale says.',
    }),
    last_success_at: Type.Unsafe<string | null>(
      orNull(instantSchema('When the data set was last imported successfully; null before the first import.')),
    ),
    age_seconds: Type.Unsafe<number | null>(
      orNull(Type.Integer({ minimum: 0, description: 'Seconds since the last successful import.' })),
    ),
    upstream_at: Type.Unsafe<string | null>(
      orNull(
        instantSchema(
          'Time of the newest upstream release or record that the data set contains, or of its delivery if upstream states none; null before the first import.',
        ),
      ),
    ),
    as_of_basis: Type.Unsafe<string | null>(
      wordOrNull(
        AS_OF_BASES,
        'What upstream_at is: the time of the release, of the newest record, or of the delivery; null before the first import.',
      ),
    ),
    data_age_seconds: Type.Unsafe<number | null>(
      orNull(Type.Integer({ minimum: 0, description: 'Seconds since upstream_at.' })),
    ),
    last_run_at: Type.Unsafe<string | null>(
      orNull(instantSchema('When the last import ended, successful or not; null before the first import.')),
    ),
    last_run_result: Type.Unsafe<string | null>(
      wordOrNull(
        RUN_OUTCOMES,
        'Result of the last import. Only succeeded renews last_success_at. refused: the new data was implausible and was not stored. absent: a directory held no files of this data set. null before the first import.',
      ),
    ),
    rejected_count: Type.Integer({
      minimum: 0,
      description: 'Number of upstream records that the last import could not use.',
    }),
    index_count: Type.Unsafe<number | null>(
      orNull(
        Type.Integer({
          minimum: 0,
          description:
            "Number of records in upstream's own index; null if it is not known, as for data from a directory.",
        }),
      ),
    ),
    unheld_count: Type.Integer({ minimum: 0, description: "Number of upstream's records that are not held." }),
    complete: Type.Boolean({
      description: "Whether all records of upstream's index are held. False if their number is not known.",
    }),
    stale: Type.Boolean({
      description:
        'Whether the last successful import or the newest upstream data is older than the maximum of the data set, or the data set was never imported.',
    }),
  },
  { additionalProperties: false, title: 'Dataset' },
)

const members = {
  status: Type.Enum(['ok', 'degraded'], {
    description:
      'degraded: the catalog is loading for the first time, at least one required data set is stale, or a database is not reachable. The values of the data sets are then the last known ones.',
  }),
  loading: Type.Unsafe<Loading | null>(
    orNull(
      Type.Object(loadingSchema.properties, {
        additionalProperties: false,
        description:
          'Progress of the first load of the catalog; null once it is finished, and if this node has never reached its database. During the load, answers that judge return 503 NOT_READY, and the others have the same object in meta.loading.',
      }),
    ),
  ),
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
    const { datasets, loading, isCurrent, isKnown } = await readStateOrLastKnown(checks, now)
    const isFresh = datasets.every((each) => !each.isRequired || !isStale(each, now))
    const state = {
      status: isCurrent && isFresh && loading === null && isAccountsReachable() ? 'ok' : 'degraded',
      loading,
      datasets: Object.fromEntries(datasets.map((each) => [each.name, render(each, isKnown, now)])),
    }
    return { data: state, topLevel: state }
  },
})

function render(each: Dataset, isKnown: boolean, now: Date) {
  return {
    table_count: each.tableCount,
    state: isKnown ? findDataSetState(each, now) : 'unknown',
    last_success_at: each.lastSuccessAt && formatInstant(each.lastSuccessAt),
    age_seconds: ageInSeconds(each.lastSuccessAt, now),
    upstream_at: each.upstreamAt && formatInstant(each.upstreamAt),
    as_of_basis: each.asOfBasis,
    data_age_seconds: ageInSeconds(each.upstreamAt, now),
    last_run_at: each.lastRunAt && formatInstant(each.lastRunAt),
    last_run_result: each.lastRunResult,
    rejected_count: each.rejectedCount,
    index_count: each.indexCount,
    unheld_count: each.unheldCount,
    complete: isComplete(each),
    stale: isStale(each, now),
  }
}
