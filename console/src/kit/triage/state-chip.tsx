// The triage state of a CVE: a shape of its own for each state, and the word.
import type { ReactNode } from 'react'
import type { TriageEntry } from 'vis-sdk'
import { describeEffect, describeScope, sortEntries, TRIAGE_WORDS, type TriageState } from '../../text/triage.ts'

/** Circles that differ in shape, so that they can be told apart without color. */
const SHAPES: Readonly<Record<TriageState, ReactNode>> = {
  under_investigation: (
    <g className="fill-high-solid stroke-high-solid">
      <circle cx="6" cy="6" r="4.75" fill="none" strokeWidth="2" />
      <path d="M6 1.25a4.75 4.75 0 0 0 0 9.5z" stroke="none" />
    </g>
  ),
  affected: <circle cx="6" cy="6" r="5.75" className="fill-critical-solid" />,
  not_affected: <circle cx="6" cy="6" r="4.75" fill="none" strokeWidth="2" className="stroke-good-solid" />,
  fixed: (
    <>
      <circle cx="6" cy="6" r="5.75" className="fill-good-solid" />
      <path d="m3.5 6.2 1.8 1.8L8.7 4.4" fill="none" strokeWidth="1.5" className="stroke-panel" />
    </>
  ),
  accepted: (
    <g className="stroke-line-strong" fill="none" strokeWidth="2">
      <circle cx="6" cy="6" r="4.75" />
      <path d="M3 6h6" />
    </g>
  ),
}

export function StateShape({ state }: { readonly state: TriageState }) {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0">
      {SHAPES[state]}
    </svg>
  )
}

interface StateChipProps {
  readonly entries: readonly TriageEntry[]
  /** Shows the shape alone; screen readers still read the word. */
  readonly isShort?: boolean
}

/** The state that needs attention first, and how many further scopes have one. The title names them all. */
export function StateChip({ entries, isShort = false }: StateChipProps) {
  const [first, ...others] = sortEntries(entries)
  if (!first) return null
  const label = first.effect === 'reopened' ? 'Open again' : TRIAGE_WORDS[first.state].label
  return (
    <span
      title={[first, ...others].map(describeEntry).join('\n')}
      className="inline-flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-2"
    >
      {first.effect === 'reopened' ? <ReopenedShape /> : <StateShape state={first.state} />}
      <span className={isShort ? 'sr-only' : first.effect === 'reopened' ? 'font-semibold text-high' : ''}>
        {label}
      </span>
      {others.length > 0 && <span className="text-ink-3">{`+${others.length}`}</span>}
    </span>
  )
}

function ReopenedShape() {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0">
      <circle
        cx="6"
        cy="6"
        r="4.75"
        fill="none"
        strokeWidth="2"
        strokeDasharray="2.5 2"
        className="stroke-high-solid"
      />
      <path d="M6 3.2v3.2M6 8.2v.6" strokeWidth="1.5" className="stroke-high-solid" />
    </svg>
  )
}

function describeEntry(entry: TriageEntry): string {
  const effect = describeEffect(entry)
  return `${TRIAGE_WORDS[entry.state].label}: ${describeScope(entry)}${effect === undefined ? '' : `. ${effect}`}`
}
