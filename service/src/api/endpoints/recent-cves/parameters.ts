// What can be asked of the recent CVEs, in the order of the specification, and how far back that looks.

import { list, optional, type ValuesOf, withDefault } from '../../../contract/parameters.ts'
import { flag, integer, word } from '../../../contract/value-types.ts'
import { afterParameter } from '../../cursor.ts'
import { fieldsParameter, includeParameter } from '../../cve-record/selection.ts'
import { levelItem } from '../../cve-record/severity.ts'
import { statusItem } from '../../cve-record/status.ts'

export const PARAMETERS = {
  hours: withDefault(integer({ minimum: 1, maximum: 168 }), 24, 'How far to look back.'),
  days: withDefault(integer({ minimum: 0, maximum: 30 }), 0, 'How far to look back, instead of hours unless 0.'),
  type: withDefault(word(['published', 'modified', 'both'], { anyCase: true }), 'both', 'Which events count.'),
  severity: list(levelItem(), 'Any of these: critical 9.0-10.0, high 7.0-8.9, medium 4.0-6.9, low 0.1-3.9.'),
  has_acsc: optional(flag(), 'With notices of the ACSC.'),
  status: list(statusItem(), 'Any of these; an addition, so that rejected records can be left out.'),
  limit: withDefault(integer({ minimum: 1, maximum: 500 }), 100, 'The most CVEs of a page.'),
  after: afterParameter(),
  fields: fieldsParameter(),
  include: includeParameter(),
}

export type Asked = ValuesOf<typeof PARAMETERS>

const HOUR_MS = 3_600_000

interface Lookback {
  /** `24 hours`, `1 hour`, `7 days`, `1 day` (decision C19). */
  readonly period: string
  readonly lengthMs: number
}

/** `days` above 0 wins over `hours` (decision D10). */
export function lookbackOf({ hours, days }: Asked): Lookback {
  return days > 0
    ? { period: counted(days, 'day'), lengthMs: days * 24 * HOUR_MS }
    : { period: counted(hours, 'hour'), lengthMs: hours * HOUR_MS }
}

function counted(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
