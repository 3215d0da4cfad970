// The EPSS scores of a CVE over time, with a table of the same scores and the days on which the model changed.
import { useQuery } from '@tanstack/react-query'
import type { EpssSeries } from 'vis-sdk'
import { ChartWithTable } from '../../../kit/chart-with-table.tsx'
import { CHOICE, CHOICES } from '../../../kit/controls/choices.ts'
import { useNow } from '../../../kit/now.ts'
import { Panel } from '../../../kit/panel.tsx'
import { QueryState } from '../../../kit/states/query-state.tsx'
import { type Column, Table } from '../../../kit/tables/table.tsx'
import { WhenInSight } from '../../../kit/when-in-sight.tsx'
import { formatProbability } from '../../../text/format.ts'
import { summarizeSeries } from '../model/epss-chart.ts'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { epssQuery } from '../queries.ts'
import { DEFAULT_PERIOD, findFirstDay, PERIODS, type Period } from '../state.ts'
import { useCveState } from '../use-cve-state.ts'
import { EpssLegend, EpssLines } from './epss-chart.tsx'

export function EpssHistoryPanel({ id }: { readonly id: string }) {
  const [{ period }, change] = useCveState()
  return (
    <Panel
      title="EPSS history"
      note="probability of exploitation within 30 days"
      actions={<PeriodChoice period={period} onChange={(next) => change({ period: next })} />}
    >
      <WhenInSight height={256}>
        <Series id={id} period={period} />
      </WhenInSight>
    </Panel>
  )
}

interface PeriodChoiceProps {
  readonly period: Period
  readonly onChange: (period: Period) => void
}

function PeriodChoice({ period, onChange }: PeriodChoiceProps) {
  return (
    <fieldset className={CHOICES}>
      <legend className="sr-only">Period of the chart</legend>
      {Object.entries(PERIODS).map(([name, [words]]) => (
        <label
          key={name}
          className={`${CHOICE} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent`}
        >
          <input
            type="radio"
            name="epss-period"
            checked={period === name}
            // The cast is safe: the names are the keys of the table.
            onChange={() => onChange(name as Period)}
            className="sr-only"
          />
          {words}
        </label>
      ))}
    </fieldset>
  )
}

function Series({ id, period }: { readonly id: string; readonly period: Period }) {
  const now = useNow()
  // Without a first day, the service returns the last 90 days.
  const query = useQuery(epssQuery(id, period === DEFAULT_PERIOD ? undefined : findFirstDay(period, now)))
  return (
    <QueryState query={query} label="Loading the EPSS scores" lines={6}>
      {(series) =>
        series.series.length === 0 ? (
          <NoScores series={series} />
        ) : (
          <>
            <ChartWithTable summary={summarizeSeries(series, formatProbability)} table={<ScoreTable series={series} />}>
              <EpssLines series={series} />
            </ChartWithTable>
            <EpssLegend series={series} />
            <Lev lev={series.lev} reason={series.no_lev_reason} />
          </>
        )
      }
    </QueryState>
  )
}

function NoScores({ series: { from, to, first_scored } }: { readonly series: EpssSeries }) {
  return (
    <Missing>
      {first_scored === null
        ? 'The service has no EPSS score of this CVE.'
        : `There is no score from ${from} to ${to}. The first score is of ${first_scored}.`}
    </Missing>
  )
}

type Score = EpssSeries['series'][number]

/** This many rows are as tall as the chart. */
const FIRST_ROWS = 7

function ScoreTable({ series: { series, model_changes } }: { readonly series: EpssSeries }) {
  const columns = listColumns(model_changes.map(({ date }) => date))
  return (
    <MoreList items={series.toReversed()} first={FIRST_ROWS} noun="days">
      {(shown) => (
        <div className="text-xs">
          <Table caption="EPSS scores, newest first" columns={columns} rows={shown} getKey={({ date }) => date} />
        </div>
      )}
    </MoreList>
  )
}

function listColumns(changeDays: readonly string[]): readonly Column<Score>[] {
  return [
    {
      id: 'date',
      header: 'Day',
      cell: ({ date }) => (
        <>
          <span className="whitespace-nowrap">{date}</span>
          {changeDays.includes(date) && <span className="block text-ink-2">new model</span>}
        </>
      ),
    },
    { id: 'score', header: 'Probability', cell: ({ score }) => formatProbability(score), isNumeric: true },
    {
      id: 'percentile',
      header: 'Percentile',
      cell: ({ percentile }) => (percentile === null ? 'not known' : formatProbability(percentile)),
      isNumeric: true,
    },
  ]
}

function NoLev() {
  return (
    <p className="mt-3 border-t border-line pt-2 text-xs text-ink-2">
      No LEV estimate: the CVE is known to be exploited.
    </p>
  )
}

/**
 * NIST's LEV metric: how likely it is that the CVE was exploited within the period, computed from the scores in the
 * chart.
 */
function Lev({ lev, reason }: { readonly lev: EpssSeries['lev']; readonly reason: EpssSeries['no_lev_reason'] }) {
  if (!lev) return reason === 'exploited' ? <NoLev /> : null
  return (
    <p className="mt-3 border-t border-line pt-2 text-xs text-ink-2">
      <span className="font-semibold text-ink">LEV at least {formatProbability(lev.score)}</span>: estimated probability
      that the CVE was exploited between {lev.from} and {lev.to}, computed from these scores (NIST CSWP 41). Its margin
      of error is not known.
      {lev.spans_model_change && ' Scores of different models are combined, which makes it less reliable.'}
    </p>
  )
}
