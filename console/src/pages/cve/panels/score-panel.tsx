// CVSS scores: a tab per version with a bar per metric, and a tab with the scores from all sources.
import type { Cve } from 'vis-sdk'
import { Badge, SeverityBadge } from '../../../kit/badge.tsx'
import { CopyButton } from '../../../kit/controls/copy-button.tsx'
import { Tabs } from '../../../kit/controls/tabs.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { type Column, Table } from '../../../kit/tables/table.tsx'
import { UpstreamText } from '../../../kit/upstream-text.tsx'
import { formatScore } from '../../../text/format.ts'
import { describeSource } from '../../../text/source-names.ts'
import { type CvssMetric, readCvssVector } from '../../../text/verdict/cvss-vector.ts'
import { listRatingStatements, listRatings, type Rating, type RatingStatement } from '../../../text/verdict/ratings.ts'
import { describeAttack } from '../model/describe-attack.ts'
import { Missing } from '../parts/missing.tsx'

export function ScorePanel({ cve }: { readonly cve: Cve }) {
  const ratings = listRatings(cve)
  const statements = listRatingStatements(cve)
  if (ratings.length === 0) {
    return (
      <Panel title="CVSS scores">
        <Missing>No loaded source gives a CVSS score.</Missing>
        <SeverityWords cve={cve} />
      </Panel>
    )
  }
  const tabs = [
    ...ratings.map((rating) => ({
      id: rating.version,
      label: `CVSS ${rating.version} · ${formatScore(rating.score)}`,
      content: <RatingView rating={rating} />,
    })),
    ...(statements.length > 0
      ? [{ id: 'sources', label: 'By source', content: <StatementTable statements={statements} /> }]
      : []),
  ]
  return (
    <Panel title="CVSS scores" note="more filled segments mean a worse value">
      <div className="-mx-2">
        <Tabs label="CVSS versions" tabs={tabs} />
      </div>
    </Panel>
  )
}

/** A word is not a score: it is shown as the source states it. */
function SeverityWords({ cve }: { readonly cve: Cve }) {
  const stated = cve.sources?.severity_word?.stated_by ?? []
  if (stated.length === 0) return null
  return (
    <ul className="mt-2 text-sm">
      {stated.map(({ source, value }) => (
        <li key={`${source} ${value}`} className="[overflow-wrap:anywhere]">
          {describeSource(source)} calls the severity <UpstreamText text={value ?? ''} first={60} />
        </li>
      ))}
    </ul>
  )
}

function RatingView({ rating }: { readonly rating: Rating }) {
  const { version, score, vector, isLeading } = rating
  const read = readCvssVector(version, vector)
  return (
    <div className="px-2">
      <div className="mb-3 flex flex-wrap items-center gap-2 text-sm">
        <SeverityBadge score={score} version={version} />
        {isLeading && <Badge tone="accent">used in lists and filters</Badge>}
      </div>
      {read ? (
        <>
          <p className="mb-3 text-sm text-ink-2">{describeAttack(read)}</p>
          <MetricBars metrics={read.metrics} />
          {read.extras.length > 0 && (
            <dl className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
              {read.extras.map(({ code, name, value }) => (
                <div key={code} className="flex gap-1">
                  <dt>{name}:</dt>
                  <dd className="font-medium text-ink">{value}</dd>
                </div>
              ))}
            </dl>
          )}
        </>
      ) : (
        <Missing>The vector cannot be read.</Missing>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <code className="min-w-0 font-mono text-xs break-all text-ink-2">{vector}</code>
        <CopyButton text={vector} label="Copy the vector" />
      </div>
    </div>
  )
}

const GROUPS = [
  { id: 'exploitability', title: 'Exploitability' },
  { id: 'impact', title: 'Impact' },
] as const

function MetricBars({ metrics }: { readonly metrics: readonly CvssMetric[] }) {
  return (
    <div className="grid gap-x-8 gap-y-3 lg:grid-cols-2">
      {GROUPS.map(({ id, title }) => (
        <table key={id} className="w-full border-collapse self-start text-sm">
          <caption className="pb-1 text-left text-xs font-medium text-ink-3">{title}</caption>
          <tbody>
            {metrics
              .filter(({ group }) => group === id)
              .map((metric) => (
                <tr key={metric.code}>
                  <th scope="row" className="w-[42%] py-0.5 pr-3 text-left leading-tight font-normal text-ink-2">
                    {metric.name}
                  </th>
                  <td aria-hidden className="py-0.5 pr-3">
                    <Segments metric={metric} />
                  </td>
                  <td className="w-[26%] py-0.5 font-semibold">{metric.value}</td>
                </tr>
              ))}
          </tbody>
        </table>
      ))}
    </div>
  )
}

/** Color of a bar by its fraction of filled segments. The word next to the bar says the same. */
function findColor({ filled, segments }: CvssMetric): string {
  if (filled === segments) return 'bg-high-solid'
  return filled > segments / 2 ? 'bg-urgent' : 'bg-moderate'
}

function Segments({ metric }: { readonly metric: CvssMetric }) {
  const color = findColor(metric)
  return (
    <span className="flex min-w-12 gap-0.5">
      {Array.from({ length: metric.segments }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: segments are equal and never move.
          key={index}
          className={`h-1.5 flex-1 rounded-sm ${index < metric.filled ? color : 'bg-soft'}`}
        />
      ))}
    </span>
  )
}

const COLUMNS: readonly Column<RatingStatement>[] = [
  {
    id: 'source',
    header: 'Source',
    cell: ({ source, agrees }) => (
      <>
        <span title={source}>{describeSource(source)}</span>
        {!agrees && <span className="block text-xs font-medium text-high">differs from the record</span>}
      </>
    ),
  },
  { id: 'version', header: 'CVSS', cell: ({ version }) => version, className: 'w-14' },
  {
    id: 'score',
    header: 'Score',
    isNumeric: true,
    cell: ({ version, score, statedScore }) => (
      <>
        <SeverityBadge score={score} version={version} />
        {statedScore !== undefined && (
          <span className="block text-xs text-ink-2">states {formatScore(statedScore)}</span>
        )}
      </>
    ),
  },
  { id: 'day', header: 'Date', cell: ({ day }) => <span className="whitespace-nowrap">{day ?? 'undated'}</span> },
  {
    id: 'vector',
    header: 'Vector',
    cell: ({ vector }) => <code className="font-mono text-xs break-all text-ink-2">{vector}</code>,
    className: 'hidden sm:table-cell',
  },
]

function StatementTable({ statements }: { readonly statements: readonly RatingStatement[] }) {
  return (
    <Table
      caption="CVSS scores of all sources"
      columns={COLUMNS}
      rows={statements}
      getKey={({ source, version, vector }) => `${source} ${version} ${vector}`}
    />
  )
}
