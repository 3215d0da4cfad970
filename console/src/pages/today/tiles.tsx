// Four numbers of the last seven days, each with its last twelve weeks and the difference to the week before.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleDashed, CodeXml, Flag, Flame, type LucideIcon } from 'lucide-react'
import type { StatsSeries } from 'vis-sdk'
import { urgentQuery } from '../../data/urgent-query.ts'
import { Sparkline } from '../../kit/charts/sparkline.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatNumber } from '../../text/format.ts'
import { formatShortDay } from '../../text/months.ts'
import { findFirstDay, findFirstWeekEnd, isChartEmpty } from './model/beginning.ts'
import { countWeek, countWeekValue, listWeeks, readLevel, type Week } from './model/weeks.ts'
import { exploitQuery, kevPerDayQuery, unratedNowQuery, unratedQuery } from './queries.ts'

const WEEKS = 12

const GRIDS = ['', 'grid-cols-1', 'grid-cols-2', 'grid-cols-2 xl:grid-cols-3', 'grid-cols-2 xl:grid-cols-4'] as const

export function Tiles() {
  const urgent = useQuery(urgentQuery)
  const tiles = [
    describeEvents({
      query: urgent,
      title: 'Became P0 or P1',
      icon: Flag,
      tone: 'critical',
      link: { to: '/changes', search: { types: 'became_urgent' } },
      describe: (buckets, week) => {
        const [p0, p1] = [countWeekValue(buckets, week, 'P0'), countWeekValue(buckets, week, 'P1')]
        return p0 === null || p1 === null ? '' : `${p0} P0, ${p1} P1`
      },
    }),
    describeEvents({
      query: useQuery(kevPerDayQuery),
      title: 'New in CISA KEV',
      icon: Flame,
      tone: 'critical',
      link: { to: '/kev' },
      describe: (buckets, week) => {
        // The count is CISA's alone, because EU KEV is younger.
        const eu = countWeekValue(buckets, week, 'eu_kev')
        return eu === null ? '' : `not counted: EU KEV ${eu}`
      },
    }),
    describeEvents({
      query: useQuery(exploitQuery),
      title: 'Public exploit appeared',
      icon: CodeXml,
      tone: 'accent',
      link: { to: '/changes', search: { types: 'exploit_added' } },
      describe: () => 'first one per CVE',
    }),
    useLevelTile(),
  ]
  const known = tiles.filter(({ value }) => value !== null)
  return (
    <>
      {known.length > 0 && (
        <div className={classNames('grid gap-2 sm:gap-4', GRIDS[known.length])}>
          {known.map((tile) => (
            <Tile key={tile.title} {...tile} />
          ))}
        </div>
      )}
      <NotYet tiles={tiles.filter(({ value }) => value === null)} urgent={urgent.data} />
    </>
  )
}

interface EventTile {
  readonly query: UseQueryResult<StatsSeries>
  readonly title: string
  readonly icon: LucideIcon
  readonly tone: 'critical' | 'accent'
  readonly link: TileLink
  readonly describe: (buckets: StatsSeries['buckets'], week: Week) => string
}

function describeEvents({ query, title, icon, tone, link, describe }: EventTile): TileProps {
  const { data } = query
  const frame = { title, icon, link }
  if (!data) return { ...frame, hasFailed: query.error !== null }
  const weeks = listWeeks(data.to, WEEKS)
  const counts = weeks.map((week) => countWeek(data.buckets, week))
  const [before, now] = [counts.at(-2) ?? null, counts.at(-1) ?? null]
  const last = weeks.at(-1)
  return {
    ...frame,
    value: now,
    since: data.complete_since,
    note: last && now !== null ? describe(data.buckets, last) : '',
    difference: before === null || now === null ? null : now - before,
    period: 'on the week before',
    // More exploits are bad news, fewer are good news.
    isRiseBad: true,
    line: <Sparkline values={counts} tone={tone} />,
  }
}

/** Whether the newest week has no number of its own, so that the present one is counted. */
export function lacksPresent(series: StatsSeries | undefined): boolean {
  const last = series && listWeeks(series.to, WEEKS).at(-1)
  return series !== undefined && (last === undefined || readLevel(series.buckets, last) === null)
}

/** The present number does not need a history: without one, it is counted in the catalog. */
function useLevelTile(): TileProps {
  const { data, error } = useQuery(unratedQuery)
  const levels = data ? listWeeks(data.to, WEEKS).map((week) => readLevel(data.buckets, week)) : []
  const [before, now] = [levels.at(-2) ?? null, levels.at(-1) ?? null]
  const present = useQuery({ ...unratedNowQuery, enabled: data !== undefined && now === null })
  const frame = {
    title: 'Not assessed yet',
    icon: CircleDashed,
    link: { to: '/cves', search: { priority: 'unrated' } },
  }
  if (!data) return { ...frame, hasFailed: error !== null }
  const value = now ?? present.data ?? (present.error ? null : undefined)
  return {
    ...frame,
    ...(value !== undefined && { value }),
    since: data.complete_since,
    note: 'no score yet',
    difference: before === null || now === null ? null : now - before,
    period: 'this week',
    isRiseBad: true,
    line: <Sparkline values={levels} tone="neutral" startsAtZero={false} />,
  }
}

interface NotYetProps {
  /** Tiles without a number. */
  readonly tiles: readonly TileProps[]
  readonly urgent: StatsSeries | undefined
}

/** One line for the numbers that are not known yet, and from when they will be. A "–" for each would say nothing. */
function NotYet({ tiles, urgent }: NotYetProps) {
  const hasChart = urgent === undefined || !isChartEmpty(urgent)
  if (tiles.length === 0 && hasChart) return null
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-0.5 px-0.5 text-xs text-ink-2">
      <span>Not known yet:</span>
      {tiles.map(({ title, link, since }) => (
        <span key={title}>
          <Link {...link} className="text-accent underline underline-offset-2">
            {title}
          </Link>{' '}
          {describeStart(since ?? undefined, findFirstWeekEnd)}
        </span>
      ))}
      {!hasChart && (
        <span>{`Became urgent per day ${describeStart(urgent?.complete_since ?? undefined, findFirstDay)}`}</span>
      )}
    </p>
  )
}

/** "from 29 Aug, recorded since 22 Aug" */
function describeStart(since: string | undefined, findStart: (since: string) => string): string {
  if (since === undefined) return 'is not recorded yet'
  return `from ${formatShortDay(findStart(since))}, recorded since ${formatShortDay(since.slice(0, 10))}`
}

interface TileLink {
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

interface TileProps {
  readonly title: string
  readonly icon: LucideIcon
  readonly link: TileLink
  /** Null if it is not known, and then in the line of such numbers; undefined until it has been read. */
  readonly value?: number | null
  /** Since when such events are known. */
  readonly since?: string | null
  readonly note?: string
  readonly difference?: number | null
  readonly period?: string
  readonly isRiseBad?: boolean
  readonly line?: React.ReactNode
  readonly hasFailed?: boolean
}

/** All states of a tile have the same height, so that nothing moves when the numbers arrive. */
function Tile(props: TileProps) {
  const { title, icon: Icon, link, value, line, hasFailed = false } = props
  return (
    <Link
      to={link.to}
      {...(link.search ? { search: link.search } : {})}
      className="grid min-h-30 min-w-0 content-between gap-y-1 rounded-[10px] border border-line bg-panel px-3 py-2.5 shadow-panel hover:border-line-strong sm:px-4 sm:py-3"
    >
      <span className="flex min-w-0 items-center gap-2 font-medium text-ink-2">
        <Icon aria-hidden size={16} className="shrink-0 text-ink-3" />
        <span className="min-w-0">{title}</span>
      </span>
      <span className="grid grid-cols-[auto_minmax(0,1fr)] items-end gap-4">
        <span className="text-[1.375rem] leading-8 font-[650] tracking-tight sm:text-[1.75rem]">
          {value === undefined || value === null ? (
            <span className="text-ink-3">{hasFailed ? '?' : '…'}</span>
          ) : (
            formatNumber(value)
          )}
        </span>
        {line ?? <span className="h-8.5 max-sm:h-6" />}
      </span>
      <span className="min-h-4.5 text-xs max-sm:min-h-9 text-ink-3">
        {hasFailed ? 'could not be read' : <TileNote {...props} />}
      </span>
    </Link>
  )
}

function TileNote({ value, note, difference, period, isRiseBad = false }: TileProps) {
  if (value === undefined) return null
  return (
    <span className="flex flex-wrap gap-x-1.5">
      {difference === undefined || difference === null ? (
        <span>the week before is not known</span>
      ) : (
        <span>
          <span className={classNames('font-semibold', toTone(difference, isRiseBad))}>
            {formatDifference(difference)}
          </span>{' '}
          {period}
        </span>
      )}
      {note && <span className="max-sm:hidden">· {note}</span>}
    </span>
  )
}

function toTone(difference: number, isRiseBad: boolean): string {
  if (difference === 0) return 'text-ink-2'
  return difference > 0 === isRiseBad ? 'text-critical' : 'text-good'
}

function formatDifference(difference: number): string {
  if (difference === 0) return '±0'
  return `${difference > 0 ? '+' : '−'}${formatNumber(Math.abs(difference))}`
}
