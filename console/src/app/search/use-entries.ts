// The lines below the search field, in the order in which they are shown.
import type { NavigateOptions } from '@tanstack/react-router'
import { findCommands } from '../../kit/commands.ts'
import { formatNumber } from '../../text/format.ts'
import type { PlainSearch } from '../search-string.ts'
import { findDirectTarget } from './direct-target.ts'
import { useNames } from './use-names.ts'

export interface Entry {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly note?: string
  /** Keys that do the same. */
  readonly keys?: string
  /** Whether the entry lists CVEs by the typed words or ids, which the person may want to change then. */
  readonly isSearch?: boolean
  readonly run: () => void
}

interface EntriesOptions {
  readonly text: string
  /** The query string of the list if it is shown. */
  readonly current: PlainSearch
  readonly isOpen: boolean
  readonly navigate: (address: NavigateOptions) => void
}

export function useEntries({ text, current, isOpen, navigate }: EntriesOptions): readonly Entry[] {
  const names = useNames(text, isOpen)
  const typed = text.trim()
  const { label, address } = findDirectTarget(typed, current)
  const isSearch = address.to === '/cves'
  const direct = { id: 'direct', group: 'Search', label, isSearch, run: () => navigate(address) }
  if (!isOpen) return [direct]
  return [
    direct,
    ...names.map(({ kind, name, vendor, count }) => ({
      id: `${kind}:${vendor ?? ''}:${name}`,
      group: kind === 'product' ? 'Products' : 'Vendors',
      label: [vendor, name].flatMap((part) => part?.replaceAll('_', ' ') ?? []).join(' '),
      note: `${formatNumber(count)} ${count === 1 ? 'CVE' : 'CVEs'}`,
      run: () =>
        navigate({
          to: '/cves',
          search: {
            ...(kind === 'product' ? { product: name } : { product_vendor: name }),
            ...(vendor === undefined ? {} : { product_vendor: vendor }),
          },
        }),
    })),
    ...findCommands(typed).flatMap(({ group, items }) =>
      items.map(({ id, label: words, keys, run }) => ({
        id: `${group}:${id}`,
        group,
        label: words,
        ...(keys === undefined ? {} : { keys }),
        run,
      })),
    ),
  ]
}
