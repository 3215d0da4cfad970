// A version range on its product's line. The text next to the bar says the same, so the drawing is hidden from screen
// readers.
import type { LineBar } from '../model/version-line.ts'

interface VersionBarProps {
  readonly bar?: LineBar | undefined
  /** Positions of single versions. */
  readonly points?: readonly number[]
  /** Positions of fixed versions. */
  readonly fixes?: readonly number[]
  readonly isAffected?: boolean
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

export function VersionBar({ bar, points = [], fixes = [], isAffected = true }: VersionBarProps) {
  const color = isAffected ? 'fill-critical-solid' : 'fill-good-solid'
  return (
    <svg aria-hidden="true" className="block h-4 w-full overflow-visible">
      <rect x="0" y="5" width="100%" height="6" rx="3" className="fill-soft" />
      {bar && (
        <>
          <rect
            x={percent(bar.from)}
            y="4"
            width={percent(Math.max(0.004, bar.to - bar.from))}
            height="8"
            rx="4"
            className={color}
          />
          {bar.hasStart && <rect x={percent(bar.from)} y="2" width="2" height="12" className={color} />}
          {bar.hasEnd && <End at={bar.to} isFixed={fixes.includes(bar.to)} />}
        </>
      )}
      {points.map((at) => (
        <circle key={at} cx={percent(at)} cy="8" r="4" className={color} />
      ))}
      {!bar && fixes.map((at) => <circle key={at} cx={percent(at)} cy="8" r="5" className="fill-good-solid" />)}
    </svg>
  )
}

/** The end of a range: a filled dot for a fixed version, otherwise a ring. */
function End({ at, isFixed }: { readonly at: number; readonly isFixed: boolean }) {
  return isFixed ? (
    <circle cx={percent(at)} cy="8" r="5.5" className="fill-good-solid" />
  ) : (
    <circle cx={percent(at)} cy="8" r="4.5" strokeWidth="2" className="fill-panel stroke-ink-3" />
  )
}
