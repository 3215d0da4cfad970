// A button next to a value that opens the list of sources that state it, and of those that state something else.
import { MessageSquareQuote } from 'lucide-react'
import type { ValueSources } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { closePopover, Popover } from '../../../kit/controls/popover.tsx'
import { UpstreamText } from '../../../kit/upstream-text.tsx'
import { formatNumber } from '../../../text/format.ts'
import { findSourcedValue, type SourcedValue, type SourcedValueName, type StatementLine } from '../model/statements.ts'
import { ExternalLink } from './external-link.tsx'

interface WhoSaysSoProps {
  readonly sources: ValueSources | undefined
  readonly name: SourcedValueName
  /** Shows the name of the value on the button, where several buttons are side by side. */
  readonly isNamed?: boolean
}

/** Shows no button if no source states the value. */
export function WhoSaysSo({ sources, name, isNamed = false }: WhoSaysSoProps) {
  const value = findSourcedValue(sources, name)
  return value === undefined ? null : <StatementButton value={value} isNamed={isNamed} />
}

interface StatementButtonProps {
  readonly value: SourcedValue
  readonly isNamed?: boolean
}

const BUTTON =
  'inline-flex h-6 min-w-6 shrink-0 items-center justify-center gap-1 rounded-md border border-line bg-panel px-1.5 text-2xs text-ink-2 hover:bg-soft hover:text-ink aria-expanded:border-accent aria-expanded:text-accent'

export function StatementButton({ value, isNamed = false }: StatementButtonProps) {
  const title = `Who says so: ${value.label}`
  return (
    <Popover
      button={{
        title: describeButton(value),
        className: BUTTON,
        children: <ButtonText value={value} isNamed={isNamed} />,
      }}
      popup={{ role: 'dialog', 'aria-label': title, className: 'w-[min(26rem,calc(100vw-1.5rem))] p-3' }}
    >
      <p className="mb-2 font-semibold">{title}</p>
      <StatementList value={value} />
      <button type="button" onClick={closePopover} className="mt-2 min-h-6 rounded text-xs text-accent hover:underline">
        Close
      </button>
    </Popover>
  )
}

/** Describes what the number on the button counts. */
function describeButton(value: SourcedValue): string {
  const count = countStatements(value)
  const differing = value.disagreement === undefined ? '' : ', which differ'
  return `Who says so: ${formatNumber(count)} ${count === 1 ? 'statement' : 'statements'} of sources${differing}`
}

function countStatements({ agreeing, others, omitted }: SourcedValue): number {
  return agreeing.length + others.length + omitted
}

function ButtonText({ value, isNamed }: Required<StatementButtonProps>) {
  const count = countStatements(value)
  return (
    <>
      <MessageSquareQuote aria-hidden size={12} />
      <span className="sr-only">Who says so: </span>
      <span className={isNamed ? '' : 'sr-only'}>{`${value.label} `}</span>
      {count}
      <span className="sr-only">{count === 1 ? ' statement' : ' statements'}</span>
      {value.disagreement !== undefined && <span className="font-semibold text-high"> differ</span>}
    </>
  )
}

function StatementList({ value }: { readonly value: SourcedValue }) {
  const { agreeing, others, omitted, disagreement } = value
  return (
    <div className="space-y-3 text-sm">
      {disagreement !== undefined && (
        <p className="[overflow-wrap:anywhere]">
          <UpstreamText text={disagreement} first={600} />
        </p>
      )}
      {agreeing.length === 0 ? (
        <p className="text-ink-2">The record has no value.</p>
      ) : (
        <Lines title="As in the record" lines={agreeing} isDecided />
      )}
      {others.length > 0 && <Lines title="Also stated" lines={others} />}
      {omitted > 0 && <p className="text-xs text-ink-2">And {formatNumber(omitted)} more statements.</p>}
    </div>
  )
}

interface LinesProps {
  readonly title: string
  readonly lines: readonly StatementLine[]
  /** Whether the record's value comes from the first line. */
  readonly isDecided?: boolean
}

function Lines({ title, lines, isDecided = false }: LinesProps) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-medium text-ink-3">{title}</h3>
      <ul className="space-y-1.5">
        {lines.map(({ source, sourceName, day, content }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a source can make two equal statements, and lines never move.
          <li key={index}>
            <span className="flex flex-wrap items-center gap-x-1.5">
              <span className="font-medium" title={source}>
                {sourceName}
              </span>
              {isDecided && index === 0 && lines.length > 1 && <Badge tone="accent">decided</Badge>}
              <span className="ml-auto text-xs whitespace-nowrap text-ink-3">{day ?? 'undated'}</span>
            </span>
            {content !== '' && <Content text={content} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A statement may end with an address, such as "Patch https://…". */
function Content({ text }: { readonly text: string }) {
  const last = text.lastIndexOf(' ') + 1
  const at = /^https?:\/\//.test(text.slice(last)) ? last : -1
  return (
    <p className="text-xs text-ink-2 [overflow-wrap:anywhere]">
      <UpstreamText text={at < 0 ? text : text.slice(0, at)} first={600} />
      {at >= 0 && <ExternalLink url={text.slice(at)} />}
    </p>
  )
}
