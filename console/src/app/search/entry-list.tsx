// The list below the search field.
import { Fragment, useEffect, useRef } from 'react'
import { KeyCaps } from '../../kit/key-caps.tsx'
import type { Entry } from './use-entries.ts'

interface EntryListProps {
  readonly id: string
  readonly entries: readonly Entry[]
  /** Index of the highlighted entry. */
  readonly position: number
  readonly onChoose: (position: number) => void
}

export function EntryList({ id, entries, position, onChoose }: EntryListProps) {
  const listRef = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry at the position is marked in the page.
  useEffect(() => {
    listRef.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [position])
  return (
    <div
      ref={listRef}
      id={`${id}-list`}
      role="listbox"
      aria-label="Search results, pages and actions"
      // The field keeps the focus while an entry is clicked.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-30 mt-1 max-h-[min(28rem,70dvh)] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-popup max-sm:fixed max-sm:inset-x-3 max-sm:top-13"
    >
      {entries.map((entry, index) => (
        <Fragment key={entry.id}>
          {index > 0 && entry.group !== entries[index - 1]?.group && (
            <div role="presentation" className="px-2.5 pt-2.5 pb-1 text-xs text-ink-3">
              {entry.group}
            </div>
          )}
          <div
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === position}
            onClick={() => onChoose(index)}
            onKeyDown={undefined}
            className="flex min-h-8 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1 hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent"
          >
            <span className="min-w-0 flex-1 break-words">{entry.label}</span>
            {entry.note && <span className="text-xs text-ink-2">{entry.note}</span>}
            {entry.keys && (
              <span aria-hidden>
                <KeyCaps keys={entry.keys} />
              </span>
            )}
          </div>
        </Fragment>
      ))}
    </div>
  )
}
