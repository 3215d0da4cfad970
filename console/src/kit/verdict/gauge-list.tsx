// The four gauges of a verdict. Each says in words what its drawing shows.
import type { ReactNode } from 'react'
import type { Cve } from 'vis-sdk'
import { classNames } from '../../text/class-names.ts'
import type { VerdictFacts } from '../../text/verdict/facts.ts'
import {
  describeEpss,
  describeExploitation,
  describeSeverity,
  describeTools,
  type Gauge,
  type GaugeTone,
} from '../../text/verdict/gauges.ts'

interface GaugeListProps {
  readonly cve: Cve
  readonly facts: VerdictFacts
  readonly isEpssLoaded: boolean
  readonly isNarrow: boolean
}

export function GaugeList({ cve, facts, isEpssLoaded, isNarrow }: GaugeListProps) {
  const exploitation = describeExploitation(facts)
  const tools = describeTools(cve)
  const severity = describeSeverity(cve, facts)
  const width = isNarrow ? NARROW_SHARE_PX : SHARE_PX
  return (
    <dl
      className={classNames('grid grid-cols-2 content-start gap-x-6 gap-y-3.5', !isNarrow && 'md:max-xl:grid-cols-4')}
    >
      <GaugeView gauge={exploitation}>
        <Dot tone={exploitation.tone} />
      </GaugeView>
      <GaugeView gauge={tools}>
        <Segments filled={tools.filled} />
      </GaugeView>
      <GaugeView gauge={describeEpss(cve, isEpssLoaded)}>
        {cve.epss && <Share share={cve.epss.score} width={width} />}
      </GaugeView>
      <GaugeView gauge={severity}>
        {severity.score !== undefined && <Share share={severity.score / 10} width={width} />}
      </GaugeView>
    </dl>
  )
}

function GaugeView({
  gauge: { label, value, note },
  children,
}: {
  readonly gauge: Gauge
  readonly children: ReactNode
}) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd>
        <span className="flex items-center gap-x-2 text-[1rem] leading-6 font-semibold max-sm:text-sm">
          <span className="min-w-0">{value}</span>
          {children}
        </span>
        <span className="block text-xs text-ink-2 [overflow-wrap:anywhere]">{note}</span>
      </dd>
    </div>
  )
}

const FILLS: Readonly<Record<GaugeTone, string>> = {
  critical: 'fill-critical-solid',
  high: 'fill-high-solid',
  neutral: 'fill-ink-3',
}

function Dot({ tone }: { readonly tone: GaugeTone }) {
  return (
    <svg
      aria-hidden="true"
      width="8"
      height="8"
      className={classNames('order-first mt-2 shrink-0 self-start', FILLS[tone])}
    >
      <circle cx="4" cy="4" r="4" />
    </svg>
  )
}

/** The words say all of it, so the drawing gives way where it would break them: on a phone, and beside three others. */
const DRAWING = 'shrink-0 max-sm:hidden md:max-xl:hidden'

const SEGMENTS = [0, 1, 2] as const

function Segments({ filled }: { readonly filled: number }) {
  return (
    <svg aria-hidden="true" width="48" height="6" className={DRAWING}>
      {SEGMENTS.map((index) => (
        <rect
          key={index}
          x={index * 17}
          width="14"
          height="6"
          rx="2"
          className={index < filled ? 'fill-high-solid' : 'fill-line'}
        />
      ))}
    </svg>
  )
}

const SHARE_PX = 72
/** Leaves room for "10.0 critical" on one line. */
const NARROW_SHARE_PX = 36

function Share({ share, width }: { readonly share: number; readonly width: number }) {
  const tone = share >= 0.5 ? 'fill-high-solid' : 'fill-accent'
  return (
    <svg aria-hidden="true" width={width} height="6" className={DRAWING}>
      <rect width={width} height="6" rx="3" className="fill-line" />
      <rect width={Math.max(2, Math.min(1, share) * width)} height="6" rx="3" className={tone} />
    </svg>
  )
}
