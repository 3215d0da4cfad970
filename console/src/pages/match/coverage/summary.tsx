// What was checked: how many components are covered, why the others are not, and the databases that judged them.
import { useId } from 'react'
import { classNames } from '../../../text/class-names.ts'
import { formatDay, formatNumber } from '../../../text/format.ts'
import { titleDataset } from '../../../text/source-names.ts'
import type { Answer, Groups } from '../result.ts'
import { describeChecked, describeGap } from '../texts.ts'
import {
  type CoverageCount,
  countCoverage,
  describeCovered,
  describeOldest,
  describeState,
  listJudges,
} from './coverage.ts'

interface CoverageSummaryProps {
  readonly answer: Answer
  readonly groups: Groups
}

/** What was checked and what was not, each reason with a link to its components. */
export function CoverageSummary({ answer, groups }: CoverageSummaryProps) {
  const counts = countCoverage(answer)
  const skipped = answer.sbom?.components_skipped_total ?? 0
  const { components_total: total } = answer.overview
  return (
    <section aria-labelledby="coverage" className="min-w-0">
      <h3 id="coverage" className="text-xs font-medium text-ink-3">
        What was checked
      </h3>
      <p className="mt-0.5 text-xl leading-7 font-semibold tracking-tight">{describeChecked(answer)}</p>
      {counts.length > 0 && (
        <div className="mt-3">
          <CoverageBar counts={counts} label={describeCovered(answer.overview)} />
        </div>
      )}
      <ul className="mt-2 divide-y divide-line-2">
        {counts.map((each) => (
          <CoverageLine
            key={each.gap ?? 'covered'}
            {...each}
            hasList={groups.notCovered.some(({ gap }) => gap === each.gap)}
          />
        ))}
        {skipped > 0 && (
          <li className="py-1.5 pl-5.5 text-sm">
            <span className="font-semibold">{formatNumber(skipped)}</span>{' '}
            {skipped === 1 ? 'entry was skipped and not checked.' : 'entries were skipped and not checked.'}{' '}
            <a href="#skipped" className="rounded text-accent underline underline-offset-2">
              List<span className="sr-only"> of skipped entries</span>
            </a>
          </li>
        )}
        {total === 0 && <li className="py-1.5 text-sm">The document names no component that can be checked.</li>}
      </ul>
    </section>
  )
}

/** Data that judged a component without being whole or current has amber stripes; hatching means that nothing is known. */
function findFill(gap: CoverageCount['gap']): 'covered' | 'doubtful' | 'unknown' {
  if (gap === undefined) return 'covered'
  return gap === 'incomplete' || gap === 'stale' ? 'doubtful' : 'unknown'
}

function Hatching({ id }: { readonly id: string }) {
  return (
    <>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-soft" />
        <rect width="2" height="5" className="fill-line-strong" />
      </pattern>
      <pattern id={`${id}-doubtful`} width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" className="fill-high-soft" />
        <rect width="3" height="6" className="fill-high-solid" />
      </pattern>
    </>
  )
}

interface AreaProps {
  readonly gap: CoverageCount['gap']
  readonly hatchingId: string
  readonly x?: number
  readonly share?: number
}

function Area({ gap, hatchingId, x = 0, share = 1 }: AreaProps) {
  const fill = findFill(gap)
  return (
    <rect
      x={`${x * 100}%`}
      width={`${share * 100}%`}
      height="100%"
      {...(fill === 'covered'
        ? { className: 'fill-accent' }
        : { fill: `url(#${fill === 'unknown' ? hatchingId : `${hatchingId}-doubtful`})` })}
    />
  )
}

function CoverageBar({ counts, label }: { readonly counts: readonly CoverageCount[]; readonly label: string }) {
  const id = useId()
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  const starts = counts.map((_, index) => counts.slice(0, index).reduce((sum, { count }) => sum + count, 0))
  return (
    <svg role="img" aria-label={label} className="block h-3 w-full overflow-hidden rounded">
      <defs>
        <Hatching id={id} />
      </defs>
      {counts.map(({ gap, count }, index) => (
        <Area key={gap ?? 'covered'} gap={gap} hatchingId={id} x={(starts[index] ?? 0) / all} share={count / all} />
      ))}
    </svg>
  )
}

function CoverageLine({ gap, count, hitCount, hasList }: CoverageCount & { readonly hasList: boolean }) {
  const id = useId()
  return (
    <li className="flex gap-2.5 py-1.5 text-sm">
      <svg aria-hidden className="mt-1 size-3 shrink-0 overflow-hidden rounded-sm">
        <defs>
          <Hatching id={id} />
        </defs>
        <Area gap={gap} hatchingId={id} />
      </svg>
      <span className="min-w-6 shrink-0 font-semibold">{formatNumber(count)}</span>
      <span className={classNames('min-w-0', gap === undefined && 'text-ink-2')}>
        {gap === undefined ? describeJudged(count, hitCount) : describeGap(gap)}
        {gap !== undefined && hitCount > 0 && (
          <span className="text-ink-2">
            {` ${describeHits(hitCount, count)} affected or possibly affected, and may have more CVEs than are listed.`}
          </span>
        )}{' '}
        {hasList && (
          <a href={`#gap-${gap}`} className="rounded text-accent underline underline-offset-2">
            List<span className="sr-only">{` of ${describeGap(gap ?? null)}`}</span>
          </a>
        )}
      </span>
    </li>
  )
}

function describeJudged(count: number, hitCount: number): string {
  const hits = hitCount === 0 ? 'none is hit' : `${formatNumber(hitCount)} ${hitCount === 1 ? 'is' : 'are'} hit`
  return `judged by complete and current databases: ${hits}, ${formatNumber(count - hitCount)} without a hit.`
}

function describeHits(hitCount: number, count: number): string {
  if (hitCount === count) return count === 1 ? 'It is' : 'All of them are'
  return `${formatNumber(hitCount)} of them ${hitCount === 1 ? 'is' : 'are'}`
}

/** The databases that judged components. */
export function Judges({ answer }: { readonly answer: Answer }) {
  const judges = listJudges(answer)
  return (
    <section
      aria-labelledby="judges"
      className="min-w-0 rounded-[10px] border border-line bg-panel px-4 py-3 shadow-panel"
    >
      <h2 id="judges" className="mb-1 text-base font-semibold">
        Who judged the components
      </h2>
      {judges.length > 0 && (
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Databases that judged components</caption>
          <thead>
            <tr className="text-left text-xs text-ink-3">
              <th scope="col" className="py-1 pr-3 font-medium">
                Database
              </th>
              <th scope="col" className="py-1 pr-3 font-medium">
                Data as of
              </th>
              <th scope="col" className="py-1 pr-3 font-medium">
                State
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                Components
              </th>
            </tr>
          </thead>
          <tbody>
            {judges.map((judge) => {
              const state = describeState(judge)
              return (
                <tr key={judge.source} className="border-t border-line align-top">
                  <td className="py-1 pr-3">{titleDataset(judge.source)}</td>
                  <td className="py-1 pr-3 whitespace-nowrap">{judge.as_of === null ? '–' : formatDay(judge.as_of)}</td>
                  <td className="py-1 pr-3">
                    {state === '' ? 'complete, current' : <span className="text-high">{state}</span>}
                  </td>
                  <td className="py-1 text-right">{formatNumber(judge.count)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <p className="mt-1.5 text-xs text-ink-2">{describeOldest(answer.overview)}</p>
    </section>
  )
}
