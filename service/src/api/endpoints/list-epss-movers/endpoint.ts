import { Type } from 'typebox'
import { afterParameter, type CursorScope, renderPagination } from '../../../contract/cursor.ts'
import { epssMoverSchema, moverWindowSchema } from '../../../contract/epss.ts'
import { type ValuesOf, withDefault } from '../../../contract/request/parameters.ts'
import { decimal, integer, oneOf, withExample, word } from '../../../contract/request/value-types.ts'
import { paginationSchema } from '../../../contract/response/page.ts'
import { closedObject } from '../../../contract/response/schemas.ts'
import { toCveId } from '../../../domain/cve-id.ts'
import { fromUnits, toUnits } from '../../../domain/epss-series/codec.ts'
import { MOVER_DAYS, type NotComparableReason } from '../../../domain/epss-series/mover-windows.ts'
import { findLevelOfRank } from '../../../domain/priority/policy.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { type MoverFilters, type MoverPage, type MoverRow, readMovers } from './query.ts'

const MAX_RATIO = 100_000

const query = {
  days: withDefault(oneOf(MOVER_DAYS), 7, 'Length of the window in days.'),
  direction: withDefault(word(['up', 'down']), 'up', 'up: scores that rose. down: scores that fell.'),
  min_delta: withDefault(
    withExample(decimal({ minimum: 0, maximum: 1 }), 0.05),
    0,
    'Minimum difference between the newest score and the earlier one.',
  ),
  min_ratio: withDefault(
    withExample(decimal({ minimum: 1, maximum: MAX_RATIO }), 3),
    1,
    'Minimum ratio of the larger score to the smaller one. A score that moved from or to 0 always meets it.',
  ),
  limit: withDefault(integer({ minimum: 1, maximum: 500 }), 50, 'Maximum CVEs per page.'),
  after: afterParameter(),
}

type Query = ValuesOf<typeof query>

export const listEpssMovers = defineEndpoint({
  name: 'list-epss-movers',
  method: 'GET',
  path: '/api/v1/epss/movers',
  tag: 'EPSS',
  summary: 'List the CVEs whose EPSS score moved most',
  description:
    'The CVEs whose EPSS score rose or fell within the last day, 7 days or 30 days, the largest difference first. The list is made once per EPSS release and has at most 5,000 CVEs per window and direction. If the EPSS model changed within the window, only moves since then are listed, because scores of two models are not comparable.',
  access: 'key',
  credits: 1,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'search',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'EpssMovers',
    schema: closedObject(
      {
        window: moverWindowSchema,
        movers: Type.Array(epssMoverSchema, { description: 'The CVEs, the largest difference first.' }),
        pagination: paginationSchema,
      },
      'The CVEs whose EPSS score moved most.',
    ),
  },
  example,
  errors: [],
  parameters: { query },
  // Rejects an invalid cursor before credits are charged.
  answerWithoutCharge: (input, { cursors }) => {
    cursors.decode(buildScope(buildFilters(input.query)), input.query.after)
    return undefined
  },
  answer: async (input, { db, cursors }) => {
    const { limit, after } = input.query
    const filters = buildFilters(input.query)
    const scope = buildScope(filters)
    const page = await readMovers(db, filters, limit, cursors.decode(scope, after))
    const last = page.hasMore ? page.movers.at(-1) : undefined
    const { totalEstimate } = page
    const nextCursor =
      last && cursors.encode(scope, { value: getDistance(last), key: last.cve_key, totalEstimate, asOf: null })
    return {
      data: {
        window: renderWindow(filters, page),
        movers: page.movers.map((mover) => renderMover(mover, page.window?.to_day ?? '')),
        pagination: renderPagination({ limit, nextCursor, totalEstimate }),
      },
    }
  },
})

function buildFilters({ days, direction, min_delta, min_ratio }: Query): MoverFilters {
  return { days, direction, minDelta: toUnits(min_delta), minRatio: min_ratio }
}

const buildScope = (filters: MoverFilters): CursorScope => ({ endpoint: 'list-epss-movers', filters: { ...filters } })

const getDistance = (mover: MoverRow) => Math.abs(mover.new_score - mover.old_score)

function renderWindow({ days }: MoverFilters, { window }: MoverPage) {
  const reason = findNotComparableReason(window)
  return {
    days,
    from: window?.from_day ?? null,
    to: window?.to_day ?? null,
    comparable: reason === null,
    not_comparable_reason: reason,
  }
}

function findNotComparableReason(window: MoverPage['window']): NotComparableReason | null {
  if (window === undefined) return 'no_release'
  if (window.from_day === null) return 'no_earlier_release'
  return window.is_comparable ? null : 'model_changed'
}

function renderMover({ cve_key, old_day, old_score, new_score, in_kev, priority }: MoverRow, newDay: string) {
  const [smaller, larger] = [Math.min(old_score, new_score), Math.max(old_score, new_score)]
  return {
    cve_id: toCveId(cve_key),
    earlier: { date: old_day, score: fromUnits(old_score) },
    later: { date: newDay, score: fromUnits(new_score) },
    delta: fromUnits(new_score - old_score),
    ratio: smaller === 0 ? null : Number((larger / smaller).toFixed(2)),
    in_kev,
    priority_level: findLevelOfRank(priority),
  }
}
