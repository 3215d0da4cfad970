// Products and vendors that the service suggests for a typed text.
import { useQuery } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { useSettled } from '../../kit/use-settled.ts'

/** With this delay, a fast typist needs one read per name and kind. */
const SETTLE_MS = 250
/** Two letters have too many names, and each read counts. */
const [MIN_LENGTH, MAX_LENGTH] = [3, 64]
const STALE_MS = 60 * 60_000
const SHOWN = 4

interface FoundName {
  readonly kind: 'product' | 'vendor'
  readonly name: string
  readonly vendor: string | undefined
  readonly count: number
}

/** Returns the names for the text, or for the text before while the answer is on its way. */
export function useNames(text: string, isOpen: boolean): readonly FoundName[] {
  const settled = useSettled(text.trim(), SETTLE_MS)
  const canRead = isOpen && settled.length >= MIN_LENGTH && settled.length <= MAX_LENGTH && /\p{L}/u.test(settled)
  const { data } = useQuery({
    queryKey: ['suggest', 'names', settled.toLowerCase()],
    queryFn: ({ signal }) => readNames(settled, signal),
    enabled: canRead && !/^cve-/i.test(settled),
    staleTime: STALE_MS,
    // If the session has ended, the page that Enter opens leads to the sign-in, and from there back to the typed words.
    meta: { isPublic: true },
  })
  return canRead ? (data ?? []) : []
}

async function readNames(text: string, signal: AbortSignal): Promise<readonly FoundName[]> {
  const [products, vendors] = await Promise.all([
    client.suggest('product', text, { limit: SHOWN, signal }),
    client.suggest('vendor', text, { limit: SHOWN, signal }),
  ])
  return [
    ...products.map(({ value, vendor, count }) => ({ kind: 'product' as const, name: value, vendor, count })),
    ...vendors.map(({ value, count }) => ({ kind: 'vendor' as const, name: value, vendor: undefined, count })),
  ]
}
