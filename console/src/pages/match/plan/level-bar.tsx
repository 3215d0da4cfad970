// The share of each level as a bar. Numbers beside it say the same.
import { useId } from 'react'
import type { Level } from 'vis-sdk'

interface LevelCount {
  readonly level: Level | null
  readonly total: number
}

/** Undefined: hatched, for findings without a level. */
const FILLS: Readonly<Record<Level, string | undefined>> = {
  P0: 'fill-critical-solid',
  P1: 'fill-urgent',
  P2: 'fill-moderate',
  unrated: undefined,
  P3: 'fill-mild',
  P4: 'fill-line-strong',
}

function describeLevels(counts: readonly LevelCount[]): string {
  return counts.map(({ level, total }) => `${level ?? 'no level'} ${total}`).join(', ')
}

export function LevelBar({ counts }: { readonly counts: readonly LevelCount[] }) {
  const id = useId()
  const all = counts.reduce((sum, { total }) => sum + total, 0)
  const starts = counts.map((_, index) => counts.slice(0, index).reduce((sum, { total }) => sum + total, 0))
  return (
    <svg role="img" aria-label={describeLevels(counts)} className="block h-2 w-full max-w-30 overflow-hidden rounded">
      <title>{describeLevels(counts)}</title>
      <defs>
        <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="1.5" height="4" className="fill-line-strong" />
        </pattern>
      </defs>
      <rect width="100%" height="100%" className="fill-soft" />
      {counts.map(({ level, total }, index) => {
        const fill = level === null ? undefined : FILLS[level]
        return (
          <rect
            key={level ?? 'none'}
            x={`${((starts[index] ?? 0) / all) * 100}%`}
            width={`${(total / all) * 100}%`}
            height="100%"
            {...(fill === undefined ? { fill: `url(#${id})` } : { className: fill })}
          />
        )
      })}
    </svg>
  )
}
