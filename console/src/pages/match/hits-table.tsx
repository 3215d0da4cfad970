// CVEs and advisories that affect components, by priority. On a phone, a row shows the same facts in one cell.
import { Badge, SeverityBadge } from '../../kit/badge.tsx'
import { Absent } from '../../kit/states/absent.tsx'
import { CELL, TableHead } from '../../kit/tables/table-head.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatProbability } from '../../text/format.ts'
import { ComponentName } from './component-name.tsx'
import { LevelBadge } from './level-badge.tsx'
import { Limited } from './limited.tsx'
import type { Hit, Match } from './result.ts'
import { SubjectLink } from './subject-link.tsx'
import { describeDistribution, describeOther, describeRequirement, isOtherwise, listFixedVersions } from './texts.ts'

const HEADERS = [
  { label: 'CVE', className: 'w-40 xl:w-52 max-md:w-auto' },
  { label: 'Priority', className: 'w-36 max-lg:w-20 max-md:hidden' },
  { label: 'Component', className: 'w-1/4 max-md:hidden' },
  { label: 'Why', className: 'max-md:hidden' },
  { label: 'Fixed in', className: 'w-40 max-lg:w-32 max-md:hidden' },
] as const

interface HitsTableProps {
  /** Title of the table, which screen readers read before the table. */
  readonly caption: string
  readonly hits: readonly Hit[]
}

export function HitsTable({ caption, hits }: HitsTableProps) {
  return (
    <Limited items={hits}>
      {(shown) => (
        <table className="w-full table-fixed border-collapse">
          <caption className="sr-only">{`${caption}, the most urgent first`}</caption>
          <TableHead headers={HEADERS} />
          <tbody>
            {shown.map((hit) => (
              <HitRow key={`${hit.component.index} ${hit.match.id}`} {...hit} />
            ))}
          </tbody>
        </table>
      )}
    </Limited>
  )
}

function HitRow({ component, match }: Hit) {
  const { severity, severity_word: word, in_kev, epss_score: epss, aliases } = match
  const facts = (
    <>
      {/* The database of an advisory without a score may state its severity in a word. */}
      {severity === null && word !== undefined ? (
        <Badge>{word.toLowerCase()}</Badge>
      ) : (
        <SeverityBadge score={severity} />
      )}
      {in_kev && <Badge tone="high">in KEV</Badge>}
      {epss !== null && <span className="text-xs whitespace-nowrap text-ink-3">EPSS {formatProbability(epss)}</span>}
    </>
  )
  return (
    <tr className="border-t border-line hover:bg-soft/60">
      <td className={CELL}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <SubjectLink id={match.id} />
          <span className="md:hidden">
            <LevelBadge level={match.priority_level} />
          </span>
        </span>
        <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">{facts}</span>
        {aliases.length > 0 && (
          <span className="mt-1 block text-xs break-words text-ink-3">{`also ${aliases.map(({ alias }) => alias).join(', ')}`}</span>
        )}
        <div className="mt-1.5 space-y-1 md:hidden">
          <ComponentName component={component} />
          <Why match={match} />
          <div className="text-xs">
            Fixed in: <FixedVersions component={component} match={match} />
          </div>
        </div>
      </td>
      <td className={classNames(CELL, 'max-md:hidden')}>
        <span className="max-lg:hidden">
          <LevelBadge level={match.priority_level} />
        </span>
        <span className="lg:hidden">
          <LevelBadge level={match.priority_level} isShort />
        </span>
      </td>
      <td className={classNames(CELL, 'max-md:hidden')}>
        <ComponentName component={component} />
      </td>
      <td className={classNames(CELL, 'max-md:hidden')}>
        <Why match={match} />
      </td>
      <td className={classNames(CELL, 'break-words max-md:hidden')}>
        <FixedVersions component={component} match={match} />
      </td>
    </tr>
  )
}

/** The statement by which the component is affected, and sources that disagree. */
function Why({ match }: { readonly match: Match }) {
  const requirement = describeRequirement(match)
  const distribution = describeDistribution(match)
  return (
    <div className="space-y-0.5 text-sm break-words text-ink-2">
      <p className="text-ink">{match.statement.text}</p>
      {requirement && <p>{requirement}</p>}
      {distribution && <p>{distribution}</p>}
      {match.other_statements.filter(isOtherwise).map((other) => (
        <p key={`${other.source} ${other.says}`} className="text-high">
          {describeOther(other)}
        </p>
      ))}
      {match.confidence !== 'high' && <p className="text-xs text-ink-3">{`${match.confidence} confidence`}</p>}
    </div>
  )
}

function FixedVersions(hit: Hit) {
  const versions = listFixedVersions(hit)
  if (versions.length === 0) return <Absent text="not stated" />
  return (
    <ul className="max-md:inline">
      {versions.map(({ version, note }) => (
        <li key={version} className="max-md:inline">
          <span className="font-mono text-xs">{version}</span> <span className="text-xs text-ink-3">{note}</span>
        </li>
      ))}
    </ul>
  )
}
