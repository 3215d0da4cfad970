// The changes of a week by kind and day.
import type { Change } from 'vis-sdk'
import { TYPES_WORDS } from 'vis-sdk/vocabulary'
import { capitalise, formatNumber } from '../../text/format.ts'
import { listDays } from '../../text/months.ts'
import type { Week } from './queries.ts'
import { type ChangesState, type ChangeType, IMPORTANT_TYPES } from './state.ts'

const toRecordedDay = ({ recorded_at }: Pick<Change, 'recorded_at'>) => recorded_at.slice(0, 'YYYY-MM-DD'.length)

interface StripRow {
  readonly type: ChangeType
  readonly label: string
  /** One count for each day of the week. */
  readonly counts: readonly number[]
  readonly total: number
}

/** Counts the changes of each shown type per day. Types without a change in the week are left out. */
export function buildStrip(
  changes: readonly Pick<Change, 'types' | 'recorded_at'>[],
  week: Week,
  { types }: ChangesState,
): readonly StripRow[] {
  const days = listDays(week.from, week.to)
  return (types.length === 0 ? IMPORTANT_TYPES : types).flatMap((type): readonly StripRow[] => {
    const own = changes.filter((change) => change.types.includes(type)).map(toRecordedDay)
    const counts = days.map((day) => own.filter((each) => each === day).length)
    return own.length === 0 ? [] : [{ type, label: capitalise(TYPES_WORDS[type]), counts, total: own.length }]
  })
}

interface DayOfChanges {
  readonly day: string
  readonly changes: readonly Change[]
}

/** Groups the changes by the day on which the service recorded them, in the order in which they are given. */
export function groupByDay(changes: readonly Change[]): readonly DayOfChanges[] {
  return [...Map.groupBy(changes, toRecordedDay)].map(([day, own]) => ({ day, changes: own }))
}

/** Describes a change of the whole catalog or of a data set, which names no CVE. */
export function describeWholeChange({ types, diff }: Pick<Change, 'types' | 'diff'>): string {
  const has = (type: ChangeType) => types.includes(type)
  if (has('loaded')) {
    const cves = diff['loaded.cves']?.new
    return `The first load of the catalog is complete${typeof cves === 'number' ? `: ${formatNumber(cves)} CVEs` : ''}. They have no changes of their own.`
  }
  if (has('epss_model_changed')) {
    return `EPSS has a new model (${String(diff['epss.model_version']?.new)}), which scores nearly every CVE anew. The threats did not change.`
  }
  if (has('rules_changed'))
    return 'The rules of this service changed. Changes that they cause are no news from a source.'
  if (has('epss_released')) {
    const day = diff['epss.date']?.new
    return `FIRST released the EPSS scores of ${typeof day === 'string' ? day : 'a new day'}.`
  }
  const words = types.map((type) => capitalise(TYPES_WORDS[type])).join(', ')
  const advisory = diff['advisory.id']
  return advisory === undefined ? words : `${words}: ${String(advisory.new ?? advisory.old)}`
}

type Cause = Change['cause']

const CAUSES: Readonly<Partial<Record<string, (count: string) => string>>> = {
  rules: (count) => `${count} records changed by new rules of this service, no source changed them`,
  reload: (count) => `${count} records were published again by an operator`,
  epss_model: (count) => `${count} EPSS scores moved in the first week of a new EPSS model`,
  source: (count) =>
    `${count} records changed because a source was read completely for the first time, in a new way, or in bulk`,
} satisfies Partial<Record<Cause, (count: string) => string>>

/** One sentence for each cause that is no news about a CVE. */
export function describeCauses(byCause: Readonly<Record<string, number | undefined>>): readonly string[] {
  return Object.entries(byCause).flatMap(([cause, count = 0]) => {
    const describe = CAUSES[cause]
    return describe && count > 0 ? [describe(formatNumber(count))] : []
  })
}
