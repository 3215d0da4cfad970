// Parameters of /cves/recent, in the order of the specification, and the period that they select.

import { afterParameter } from '../../../contract/cursor.ts'
import { type ValuesOf, withDefault } from '../../../contract/request/parameters.ts'
import { integer, withExample, word } from '../../../contract/request/value-types.ts'
import { fieldsParameter, includeParameter } from '../../../record/selection-parameters.ts'
import { filterParameters } from '../../../search/filters/table.ts'

export const PARAMETERS = {
  hours: withDefault(integer({ minimum: 1, maximum: 168 }), 24, 'Length of the period before now, in hours.'),
  days: withDefault(
    withExample(integer({ minimum: 0, maximum: 30 }), 7),
    0,
    'Length of the period before now, in days. Replaces hours if it is greater than 0.',
  ),
  type: withDefault(
    word(['published', 'modified', 'both'], { anyCase: true }),
    'both',
    'Whether publication, modification or both select a CVE.',
  ),
  ...filterParameters('recent'),
  limit: withDefault(integer({ minimum: 1, maximum: 500 }), 100, 'Maximum CVEs per page.'),
  after: afterParameter(),
  fields: fieldsParameter('recent'),
  include: includeParameter('recent'),
}

export type Query = ValuesOf<typeof PARAMETERS>

const HOUR_MS = 3_600_000

interface Lookback {
  /** Length of the period as text, such as `24 hours`, `1 hour`, `7 days` or `1 day` (decision C19). */
  readonly period: string
  readonly lengthMs: number
}

/** The `days` parameter replaces `hours` if it is greater than 0 (decision D10). */
export function resolveLookback({ hours, days }: Query): Lookback {
  return days > 0
    ? { period: formatCount(days, 'day'), lengthMs: days * 24 * HOUR_MS }
    : { period: formatCount(hours, 'hour'), lengthMs: hours * HOUR_MS }
}

function formatCount(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
