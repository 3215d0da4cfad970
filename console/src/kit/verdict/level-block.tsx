import type { Level } from 'vis-sdk'
import { PRIORITY_WORDS } from 'vis-sdk/vocabulary'
import { classNames } from '../../text/class-names.ts'

/** Only P0 is solid, so that it is seen first. */
const STYLES: Readonly<Record<Level, string>> = {
  P0: 'bg-critical-solid text-white',
  P1: 'bg-high-soft text-high border-2 border-high',
  P2: 'bg-medium-soft text-medium',
  // Nothing is known yet, and it could turn out to be urgent: never the look of a calm level.
  unrated: 'border-2 border-dashed border-medium text-medium',
  P3: 'bg-low-soft text-low',
  P4: 'bg-soft text-ink-2',
}

interface LevelBlockProps {
  /** Undefined if the priority is not computed yet. */
  readonly level: Level | undefined
  readonly isRejected: boolean
  readonly isSmall: boolean
}

/** The level of a CVE as a large badge with its words. */
export function LevelBlock({ level, isRejected, isSmall }: LevelBlockProps) {
  const style = isRejected || level === undefined ? 'border-2 border-line text-ink-2' : STYLES[level]
  return (
    <div
      className={classNames(
        'grid shrink-0 place-content-center rounded-[0.625rem] px-1 text-center leading-tight',
        isSmall ? 'size-16' : 'size-16 sm:size-[5.25rem]',
        style,
      )}
    >
      <span className="sr-only">Priority: </span>
      <Words level={level} isRejected={isRejected} isSmall={isSmall} />
    </div>
  )
}

function Words({ level, isRejected, isSmall }: LevelBlockProps) {
  if (isRejected) return <span className="text-xs font-semibold">Rejected</span>
  if (level === undefined) return <span className="text-xs font-semibold">No level yet</span>
  if (level === 'unrated') return <span className="text-xs font-semibold">Not assessed yet</span>
  return (
    <>
      <span className={classNames('block font-bold', isSmall ? 'text-xl leading-6' : 'text-2xl sm:text-3xl')}>
        {level}
      </span>
      <span className="block text-xs font-semibold">{PRIORITY_WORDS[level]}</span>
    </>
  )
}
