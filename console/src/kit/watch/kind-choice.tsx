// The choice of what a watch tells, with how often each would have happened, as far as that was counted.
import { useState } from 'react'
import type { WatchKind, WatchPreview } from 'vis-sdk'
import { classNames } from '../../text/class-names.ts'
import { formatNumber } from '../../text/format.ts'
import { FIRST_KINDS, KIND_WORDS, KINDS, sortKinds } from '../../text/watch/kinds.ts'
import { countDays, countKinds, type KindCount } from '../../text/watch/preview.ts'
import { Button } from '../controls/button.tsx'
import { DayBars } from './day-bars.tsx'

interface KindChoiceProps {
  readonly kinds: readonly WatchKind[]
  readonly onChange: (kinds: readonly WatchKind[]) => void
  /** Undefined until it was counted. */
  readonly preview: WatchPreview | undefined
}

export function KindChoice({ kinds, onChange, preview }: KindChoiceProps) {
  const [showsAll, setShowsAll] = useState(kinds.some((kind) => !FIRST_KINDS.includes(kind)))
  const counts = preview && countKinds(preview)
  const toggle = (kind: WatchKind, isOn: boolean) =>
    onChange(sortKinds(isOn ? [...kinds, kind] : kinds.filter((each) => each !== kind)))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 flex w-full items-baseline justify-between gap-3 text-sm">
        <span className="font-medium">Tell me when a CVE …</span>
        {preview && (
          <span className="text-xs text-ink-3">{`in the last ${countDays(preview.judged_days.length)}`}</span>
        )}
      </legend>
      <div className="rounded-lg border border-line">
        {(showsAll ? KINDS : FIRST_KINDS).map((kind) => (
          <KindLine
            key={kind}
            kind={kind}
            isOn={kinds.includes(kind)}
            onChange={(isOn) => toggle(kind, isOn)}
            count={counts && (counts.get(kind) ?? { kind, count: 0, daily: [] })}
          />
        ))}
      </div>
      {!showsAll && (
        <Button variant="quiet" className="mt-1 h-7 px-2 text-xs" onClick={() => setShowsAll(true)}>
          {`${KINDS.length - FIRST_KINDS.length} more`}
          <span className="sr-only"> things to be told</span>
        </Button>
      )}
    </fieldset>
  )
}

interface KindLineProps {
  readonly kind: WatchKind
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly count: KindCount | undefined
}

function KindLine({ kind, isOn, onChange, count }: KindLineProps) {
  return (
    <label className="flex min-h-8.5 items-center gap-2.5 border-t border-line-2 px-3 py-1 text-sm first:border-t-0">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 flex-1">{KIND_WORDS[kind].choice}</span>
      {count && (
        <>
          <span className="max-sm:hidden">
            <DayBars values={count.daily} isMuted={!isOn} />
          </span>
          <span className={classNames('w-10 text-right', isOn ? 'font-semibold' : 'text-ink-2')}>
            {formatNumber(count.count)}
            <span className="sr-only"> times</span>
          </span>
        </>
      )}
    </label>
  )
}
