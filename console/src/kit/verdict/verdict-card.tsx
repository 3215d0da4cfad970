// The verdict on a CVE: its name, its level, one sentence to paste, four gauges and what to upgrade to.
// `VerdictCard` is the head of a CVE's page. With `isCompact` it fits into a drawer beside a list:
//
//   <VerdictCard cve={cve} isCompact />
import { type ReactNode, useId } from 'react'
import type { Cve } from 'vis-sdk'
import { classNames } from '../../text/class-names.ts'
import { formatDate } from '../../text/date-words.ts'
import { toDay } from '../../text/days.ts'
import { isRejected, readFacts } from '../../text/verdict/facts.ts'
import { describeMissingFix, writeCopiedVerdict, writeVerdict } from '../../text/verdict/sentence.ts'
import { nameCve } from '../../text/verdict/title.ts'
import { Badge } from '../badge.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { useNow } from '../now.ts'
import { FixStrip } from './fix-strip.tsx'
import { GaugeList } from './gauge-list.tsx'
import { LevelBlock } from './level-block.tsx'

interface VerdictCardProps {
  /** A single record with the members of `CVE_INCLUDE` in data/cve-query.ts. */
  readonly cve: Cve
  /** One column, and a heading below that of the page. */
  readonly isCompact?: boolean
  /** What the account has decided about the CVE: the chip of its triage state. */
  readonly state?: ReactNode
  /** Buttons to the right of the name. */
  readonly actions?: ReactNode
  /** False if no EPSS score was ever stored, so that an absent score says nothing about the CVE. */
  readonly isEpssLoaded?: boolean
}

export function VerdictCard({ cve, isCompact = false, state, actions, isEpssLoaded = true }: VerdictCardProps) {
  const id = useId()
  const facts = readFacts(cve)
  const rejected = isRejected(cve)
  return (
    <section
      aria-labelledby={id}
      data-verdict
      className={classNames(
        'rounded-[10px] border border-line bg-panel shadow-panel',
        isCompact ? 'space-y-3 p-3.5' : 'px-3 py-3.5 sm:px-5 sm:py-4',
      )}
    >
      <div className={classNames('grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-3', !isCompact && 'sm:gap-x-5')}>
        <div className={isCompact ? '' : 'sm:row-span-2'}>
          <LevelBlock level={cve.priority?.level ?? undefined} isRejected={rejected} isSmall={isCompact} />
        </div>
        <Head cve={cve} headingId={id} isCompact={isCompact} state={state} actions={actions} />
        <Sentence cve={cve} className={isCompact ? 'col-span-2' : 'max-sm:col-span-2 sm:col-start-2'} />
      </div>
      {!rejected && (
        <div
          className={classNames(
            'border-t border-line',
            isCompact ? 'space-y-4 pt-3' : 'mt-3.5 grid gap-x-6 gap-y-4 pt-3.5 xl:grid-cols-2 print:grid-cols-2',
          )}
        >
          <GaugeList cve={cve} facts={facts} isEpssLoaded={isEpssLoaded} isNarrow={isCompact} />
          <FixStrip cve={cve} missing={describeMissingFix(facts.fix)} />
        </div>
      )}
    </section>
  )
}

interface HeadProps extends Pick<VerdictCardProps, 'cve' | 'state' | 'actions'> {
  readonly headingId: string
  readonly isCompact: boolean
}

function Head({ cve, headingId, isCompact, state, actions }: HeadProps) {
  const { cve_id, published, modified } = cve
  // The description of a rejected CVE is the reason of the rejection, which is no name.
  const name = isRejected(cve) ? undefined : nameCve(cve)
  const Heading = isCompact ? 'h2' : 'h1'
  return (
    <div className="flex min-w-0 flex-wrap items-start gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1 basis-56">
        <Heading
          id={headingId}
          title={name}
          className={classNames(
            'line-clamp-2 font-semibold tracking-tight [overflow-wrap:anywhere]',
            isCompact ? 'text-base leading-5' : 'text-[1.0625rem] leading-snug sm:text-[1.375rem]',
            isRejected(cve) && 'text-ink-2 line-through',
          )}
        >
          <bdi>{name ?? cve_id}</bdi>
          {/* The id is shown below; a heading that is read alone should have it too. */}
          {name !== undefined && <span className="sr-only"> {cve_id}</span>}
        </Heading>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2">
          {name !== undefined && <span className="font-mono font-semibold">{cve_id}</span>}
          <span>{published === null ? 'Day of publication unknown' : `Published ${formatDate(published)}`}</span>
          {modified !== null && <span>Changed {formatDate(modified)}</span>}
          <Tags cve={cve} />
          {state}
        </p>
      </div>
      {actions && <div className="flex flex-wrap gap-1.5 max-sm:hidden print:hidden">{actions}</div>}
    </div>
  )
}

const TAG_WORDS: Readonly<Record<string, readonly [words: string, title: string]>> = {
  disputed: ['Disputed', 'The vendor or others doubt that it is a vulnerability'],
  'unsupported-when-assigned': ['Unsupported product', 'The product was no longer supported when the id was assigned'],
  'exclusively-hosted-service': ['Hosted service', 'Affects a hosted service only: the provider fixes it'],
}

function Tags({ cve: { tags = [] } }: Pick<VerdictCardProps, 'cve'>) {
  return tags.map((tag) => {
    const [words, title] = TAG_WORDS[tag] ?? [tag, tag]
    return (
      <Badge key={tag} tone="medium" title={title}>
        {words}
      </Badge>
    )
  })
}

function Sentence({ cve, className }: { readonly cve: Cve; readonly className: string }) {
  const facts = readFacts(cve)
  const day = toDay(useNow())
  const copy = () => writeCopiedVerdict(facts, { address: `${location.origin}/console/cves/${cve.cve_id}`, day })
  return (
    <div className={classNames('flex flex-wrap items-center gap-2 rounded-lg bg-soft py-2 pr-2 pl-3.5', className)}>
      <p className="min-w-0 flex-1 basis-64 text-pretty [overflow-wrap:anywhere]">{writeVerdict(facts)}</p>
      <span className="print:hidden">
        <CopyButton text={copy} label="Copy the verdict (key c)">
          Copy verdict
        </CopyButton>
      </span>
    </div>
  )
}
