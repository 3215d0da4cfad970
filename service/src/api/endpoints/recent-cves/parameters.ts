// Parameters of /cves/recent, in the order of the specification, and the period that they select.
import { list, optional, type ValuesOf, withDefault } from '../../../contract/parameters.ts'
import { flag, integer, withExample, word } from '../../../contract/value-types.ts'
import { afterParameter } from '../../cursor.ts'
import { priorityParameter } from '../../cve-record/priority.ts'
import { fieldsParameter, includeParameter } from '../../cve-record/selection.ts'
import { levelType } from '../../cve-record/severity.ts'
import { statusType } from '../../cve-record/status.ts'

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
  severity: list(
    levelType(),
    'Severity is any of these levels: critical 9.0-10.0, high 7.0-8.9, medium 4.0-6.9, low 0.1-3.9.',
    { example: ['critical', 'high'] },
  ),
  has_acsc: optional(flag(), 'Whether an ACSC notice names the CVE.'),
  status: list(statusType(), "NVD's status is any of these. Leave out Rejected to skip rejected CVEs.", {
    example: ['Analyzed', 'Modified'],
  }),
  priority: priorityParameter(),
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
