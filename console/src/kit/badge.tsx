// Short highlighted labels. Color is never the only signal: the text says the same.
import type { ReactNode } from 'react'
import type { Level } from 'vis-sdk'
import { PRIORITY_WORDS, SEVERITY_WORDS } from 'vis-sdk/vocabulary'
import { classNames } from '../text/class-names.ts'
import { capitalise, formatScore } from '../text/format.ts'
import { type SeverityLevel, toSeverityLevel } from '../text/severity.ts'

const TONES = {
  critical: 'bg-critical-soft text-critical',
  high: 'bg-high-soft text-high',
  medium: 'bg-medium-soft text-medium',
  low: 'bg-low-soft text-low',
  neutral: 'bg-soft text-ink-2',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  /** Solid red, only for P0 and for "exploited". */
  solid: 'bg-critical-solid text-white',
  /** Tinted with an edge. */
  edged: 'bg-high-soft text-high inset-ring inset-ring-high/45',
  /** For the level `unrated`: nothing is known yet, and it could turn out to be urgent. */
  unrated: 'border border-dashed border-line-strong text-ink-2',
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
        'inline-flex min-h-5 items-center gap-1.5 rounded-[5px] px-1.75 text-xs font-semibold whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}

const LEVELS: Readonly<Record<SeverityLevel, { readonly tone: Tone; readonly word: string }>> = {
  critical: { tone: 'critical', word: capitalise(SEVERITY_WORDS.critical) },
  high: { tone: 'high', word: capitalise(SEVERITY_WORDS.high) },
  medium: { tone: 'medium', word: capitalise(SEVERITY_WORDS.medium) },
  low: { tone: 'low', word: capitalise(SEVERITY_WORDS.low) },
  none: { tone: 'neutral', word: 'None' },
  unknown: { tone: 'neutral', word: 'No score' },
}

interface SeverityBadgeProps {
  readonly score: number | null | undefined
  /** CVSS version of the score. Without it, the severity names of CVSS 3.1 and 4.0 are used. */
  readonly version?: string | undefined
  /** Shows the number without the word, for a narrow column. */
  readonly isShort?: boolean
}

/** The severity of a base score: number, word and color. */
export function SeverityBadge({ score, version, isShort = false }: SeverityBadgeProps) {
  const level = toSeverityLevel(score, version)
  const { tone, word } = LEVELS[level]
  const hasScore = typeof score === 'number'
  return (
    <Badge tone={tone} {...(isShort ? { title: word } : {})}>
      {hasScore && <span>{formatScore(score)}</span>}
      <span className={isShort && hasScore ? 'sr-only' : 'font-medium'}>{word}</span>
    </Badge>
  )
}

const LEVEL_TONES: Readonly<Record<Level, Tone>> = {
  P0: 'solid',
  P1: 'edged',
  P2: 'medium',
  unrated: 'unrated',
  P3: 'low',
  P4: 'neutral',
}

interface PriorityBadgeProps {
  readonly level: Level
  /** Shows the level without its description, for a narrow column. */
  readonly isShort?: boolean
}

/** Badge with a priority level and its description, in the level's color. */
export function PriorityBadge({ level, isShort = false }: PriorityBadgeProps) {
  // "unrated" and its description say the same.
  if (level === 'unrated' && !isShort) return <Badge tone="unrated">{PRIORITY_WORDS.unrated}</Badge>
  return (
    <Badge tone={LEVEL_TONES[level]} {...(isShort ? { title: `${level}: ${PRIORITY_WORDS[level]}` } : {})}>
      {level}
      <span className={isShort ? 'sr-only' : 'font-medium'}>{PRIORITY_WORDS[level]}</span>
    </Badge>
  )
}
