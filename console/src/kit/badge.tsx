// Short marked texts. The color never stands alone: the text says the same.
import type { ReactNode } from 'react'
import { classNames } from '../text/class-names.ts'
import { formatScore } from '../text/format.ts'
import { type SeverityLevel, toSeverityLevel } from '../text/severity.ts'

const TONES = {
  critical: 'bg-critical-soft text-critical',
  high: 'bg-high-soft text-high',
  medium: 'bg-medium-soft text-medium',
  low: 'bg-low-soft text-low',
  neutral: 'bg-soft text-ink-2',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
} as const

type Tone = keyof typeof TONES

interface BadgeProps {
  readonly tone?: Tone
  readonly title?: string
  readonly children: ReactNode
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-md px-2 py-px text-xs font-semibold whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}

const LEVELS: Readonly<Record<SeverityLevel, { readonly tone: Tone; readonly word: string }>> = {
  critical: { tone: 'critical', word: 'Critical' },
  high: { tone: 'high', word: 'High' },
  medium: { tone: 'medium', word: 'Medium' },
  low: { tone: 'low', word: 'Low' },
  none: { tone: 'neutral', word: 'None' },
  unknown: { tone: 'neutral', word: 'No score' },
}

interface SeverityBadgeProps {
  readonly score: number | null | undefined
  /** CVSS version of the score. Without it, the words of CVSS 3.1 and 4.0 are used. */
  readonly version?: string | undefined
}

/** The severity of a base score: number, word and color. */
export function SeverityBadge({ score, version }: SeverityBadgeProps) {
  const level = toSeverityLevel(score, version)
  const { tone, word } = LEVELS[level]
  return (
    <Badge tone={tone}>
      {typeof score === 'number' && <span>{formatScore(score)}</span>}
      <span className="font-medium">{word}</span>
    </Badge>
  )
}
