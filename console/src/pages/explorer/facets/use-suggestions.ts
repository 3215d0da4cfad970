// Names that the service suggests for a text.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { NameKind } from 'vis-sdk'
import { client } from '../../../data/client.ts'
import { useSettled } from '../../../kit/use-settled.ts'
import { mergeVendors } from './merge-vendors.ts'

/** With this delay, a fast typist needs one read per name, and a slow one two or three. */
const SETTLE_MS = 250
/** The service refuses shorter and longer texts. */
const [MIN_LENGTH, MAX_LENGTH] = [2, 64]
/** The names in the catalog change only when feeds are imported. */
const STALE_MS = 60 * 60_000

/** Reads names while a person types. Answers for earlier text are discarded. */
export function useSuggestions(kind: NameKind, text: string) {
  const current = text.trim()
  const settled = useSettled(current, SETTLE_MS)
  const canRead = isReadable(settled)
  const { data, error, refetch } = useQuery({ ...suggestionsQuery(kind, settled), enabled: canRead })
  const isCurrent = current === settled && canRead
  return {
    names: isCurrent ? (data ?? []) : [],
    error: isCurrent ? error : null,
    /** Whether names for the text may still arrive. */
    isPending: isReadable(current) && (current !== settled || (data === undefined && error === null)),
    retry: () => void refetch(),
  }
}

function isReadable(text: string): boolean {
  return text.length >= MIN_LENGTH && text.length <= MAX_LENGTH
}

export function suggestionsQuery(kind: NameKind, text: string) {
  return queryOptions({
    queryKey: ['suggest', kind, text.toLowerCase()],
    queryFn: async ({ signal }) => mergeVendors(await client.suggest(kind, text, { signal })),
    staleTime: STALE_MS,
    enabled: isReadable(text),
  })
}
