// How events are shown, in answers and in feeds.
import type { EventRow } from '../../accounts/watches/own-events.ts'
import { LEVELS } from '../../domain/priority/policy.ts'
import { toEventId } from '../../domain/watch/event-id.ts'
import { summarizeEvent } from '../../domain/watch/summarize.ts'
import { renderDiff } from '../../record/change-log/render.ts'

/** `publicUrl`: the address of this server, or null. */
export function renderEvent(row: EventRow, publicUrl: string | null) {
  const record = row.record && readRecord(row.record)
  return {
    id: identifyEvent(row),
    nr: row.nr,
    type: row.type,
    at: row.upstreamDay,
    recorded_at: row.recordedAt ?? row.at,
    watch: row.watchId === null ? null : { id: row.watchId, name: row.watchName, team: row.watchTeam },
    cve_id: row.subject,
    on: row.kinds,
    entered_by: row.enteredBy,
    types: row.types ?? [],
    diff: renderDiff(row.diff ?? {}),
    record_after: record,
    ...(row.type === 'recalculated' && { recalculation: readRecalculation(row.detail ?? {}) }),
    ...(row.type === 'gap' && { gap: readGap(row.detail ?? {}) }),
    summary: summarize(row, record),
    muted: row.isMuted,
    ...(publicUrl !== null && row.subject !== null && { url: new URL(`/console/cves/${row.subject}`, publicUrl).href }),
  }
}

export type RenderedEvent = ReturnType<typeof renderEvent>

const identifyEvent = ({ watchId, seq, subject, type }: EventRow): string =>
  toEventId({ watchId, seq, subject: subject ?? type })

interface EventRecord {
  readonly severity: number | null
  readonly epss_score: number | null
  readonly in_kev: boolean
  readonly in_eu_kev: boolean
  readonly ransomware: boolean
  readonly priority_level: string | null
  readonly exploit_maturity: string | null
  readonly has_fix: boolean
  readonly status: string
  readonly products: readonly { readonly vendor: string; readonly product: string }[]
  readonly product_count: number
}

/** The evaluator stores these members; the order is that of the documentation. */
function readRecord(stored: Readonly<Record<string, unknown>>): EventRecord {
  const { severity, epss_score, in_kev, in_eu_kev, ransomware, priority_level, exploit_maturity, has_fix } =
    stored as unknown as EventRecord
  const { status, products, product_count } = stored as unknown as EventRecord
  return {
    severity,
    epss_score,
    in_kev,
    in_eu_kev,
    ransomware,
    priority_level,
    exploit_maturity,
    has_fix,
    status,
    products,
    product_count,
  }
}

function summarize(row: EventRow, record: EventRecord | null): string {
  const { detail } = row
  if (row.type === 'recalculated') {
    const { cause, entered_count: entered, left_count: left } = readRecalculation(detail ?? {})
    return `${countCves(entered)} entered the search and ${countCves(left)} left it. The cause of these changes is ${cause}, so they have no events of their own.`
  }
  if (row.type === 'gap')
    return 'Changes could not be judged for this watch. Look at its search for what you may have missed.'
  return summarizeEvent({
    on: row.kinds,
    enteredBy: row.enteredBy,
    diff: row.diff ?? {},
    products: record?.products ?? [],
    productCount: record?.product_count ?? 0,
    level: record?.priority_level ?? null,
  })
}

const countCves = (count: number) => `${count} ${count === 1 ? 'CVE' : 'CVEs'}`

function readRecalculation(detail: Readonly<Record<string, unknown>>) {
  return {
    cause: toText(detail['cause']) ?? '',
    entered_count: sumLevels(detail['entered']),
    left_count: sumLevels(detail['left']),
    entered_levels: readLevels(detail['entered']),
    left_levels: readLevels(detail['left']),
    entered_ids: readIds(detail['entered_ids']),
    left_ids: readIds(detail['left_ids']),
  }
}

const readGap = (detail: Readonly<Record<string, unknown>>) => ({
  from_position: toText(detail['from']) ?? '',
  to_position: toText(detail['to']) ?? '',
})

function readLevels(stored: unknown): Readonly<Record<string, number>> {
  const counts = Object(stored) as Readonly<Record<string, number>>
  return Object.fromEntries(LEVELS.flatMap((level) => (counts[level] === undefined ? [] : [[level, counts[level]]])))
}

const sumLevels = (stored: unknown) => Object.values(readLevels(stored)).reduce((sum, count) => sum + count, 0)

const readIds = (stored: unknown): readonly string[] => (Array.isArray(stored) ? stored.map(String) : [])

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
