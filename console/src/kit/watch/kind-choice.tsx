// The choice of what a watch tells.
import { useState } from 'react'
import type { WatchKind } from 'vis-sdk'
import { FIRST_KINDS, KIND_WORDS, KINDS, sortKinds } from '../../text/watch/kinds.ts'
import { Button } from '../controls/button.tsx'

interface KindChoiceProps {
  readonly kinds: readonly WatchKind[]
  readonly onChange: (kinds: readonly WatchKind[]) => void
}

export function KindChoice({ kinds, onChange }: KindChoiceProps) {
  const [showsAll, setShowsAll] = useState(kinds.some((kind) => !FIRST_KINDS.includes(kind)))
  const toggle = (kind: WatchKind, isOn: boolean) =>
    onChange(sortKinds(isOn ? [...kinds, kind] : kinds.filter((each) => each !== kind)))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">Tell me when a CVE …</legend>
      <div className="rounded-lg border border-line">
        {(showsAll ? KINDS : FIRST_KINDS).map((kind) => (
          <KindLine key={kind} kind={kind} isOn={kinds.includes(kind)} onChange={(isOn) => toggle(kind, isOn)} />
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
}

function KindLine({ kind, isOn, onChange }: KindLineProps) {
  return (
    <label className="flex min-h-8.5 items-center gap-2.5 border-t border-line-2 px-3 py-1 text-sm first:border-t-0">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 flex-1">{KIND_WORDS[kind].choice}</span>
    </label>
  )
}
