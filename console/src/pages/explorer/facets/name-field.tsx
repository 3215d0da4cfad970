// A field that finds names in the catalog and adds them to a filter.
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { isVisError, type NameKind } from 'vis-sdk'
import { Combobox } from '../../../kit/controls/combobox.tsx'
import { RateLimitedLine } from '../../../kit/states/rate-limited.tsx'
import { formatNumber } from '../../../text/format.ts'
import { describeValue, FACETS, type FacetName } from '../../../text/search/facet-specs.ts'
import { normaliseFilter } from '../../../text/search/filters.ts'
import type { FilterProps } from '../filter-controls.tsx'
import { chooseValue } from './choose.ts'
import type { SuggestedName } from './merge-vendors.ts'
import { useSuggestions } from './use-suggestions.ts'

interface NameFieldProps extends FilterProps {
  readonly name: Exclude<FacetName, 'year'>
}

export function NameField({ name, state, setState }: NameFieldProps) {
  const { names } = FACETS[name]
  const [text, setText] = useState('')
  /** A text for which Enter was pressed before its suggestions arrived. */
  const [entered, setEntered] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const suggestions = useSuggestions(names?.kind ?? 'product', text)
  const choose = (value: string) => {
    setState(chooseValue(state, name, value, true))
    setText('')
    setEntered(undefined)
  }
  const enter = (typed: string) => {
    const value = normaliseFilter(name, addPrefix(name, typed))
    if (suggestions.isPending) setEntered(typed)
    else if (value === undefined) setRefused(typed)
    else choose(value)
  }
  const finish = useEffectEvent(() => {
    const [first] = suggestions.names
    if (entered === undefined || entered !== text.trim()) return
    setEntered(undefined)
    if (first) choose(first.value)
    else enter(entered)
  })
  useEffect(() => {
    if (!suggestions.isPending) finish()
  }, [suggestions.isPending])
  if (!names) return null
  return (
    <Combobox
      label={names.label}
      text={text}
      onText={setText}
      items={suggestions.names}
      message={describeState({ kind: names.kind, text, isRefused: refused === text.trim(), suggestions })}
      getKey={({ value }) => value}
      onChoose={({ value }) => choose(value)}
      onEnter={enter}
    >
      {(item) => <SuggestionLine name={name} item={item} />}
    </Combobox>
  )
}

interface SuggestionLineProps {
  readonly name: FacetName
  readonly item: SuggestedName
}

function SuggestionLine({ name, item: { value, note, count } }: SuggestionLineProps) {
  // The note shows the full title of a weakness or technique.
  const words = name === 'cwe' || name === 'technique' ? value : describeValue(name, value)
  return (
    <>
      <span className="min-w-0 flex-1 break-words">
        {words} {note && <span className="text-xs text-ink-2">{note}</span>}
      </span>
      <span className="text-xs text-ink-2">
        {formatNumber(count)}
        <span className="sr-only"> CVEs</span>
      </span>
    </>
  )
}

interface FieldState {
  readonly kind: NameKind
  readonly text: string
  readonly isRefused: boolean
  readonly suggestions: ReturnType<typeof useSuggestions>
}

/** Explains why there are no suggestions. Returns null if there are some or if some may still arrive. */
function describeState({
  kind,
  text,
  isRefused,
  suggestions: { names, error, isPending, retry },
}: FieldState): ReactNode {
  if (isVisError(error) && error.status === 429) {
    return (
      <RateLimitedLine
        key={error.correlationId}
        retryAfter={error.retryAfter}
        message="Too many reads: there are no suggestions for now."
        onRetry={retry}
      />
    )
  }
  if (error) return 'Suggestions could not be read. Enter adds the text as it is.'
  if (isRefused) return `No ${kind === 'cwe' ? 'weakness' : kind} has this name.`
  if (names.length > 0 || isPending) return null
  return text.trim().length >= 2 ? 'No similar name.' : null
}

/** A bare number stands for the id with that number: 79 is CWE-79, and 1059 is T1059. */
function addPrefix(name: FacetName, text: string): string {
  if (!/^\d/.test(text)) return text
  return name === 'cwe' ? `CWE-${text}` : name === 'technique' ? `T${text}` : text
}
