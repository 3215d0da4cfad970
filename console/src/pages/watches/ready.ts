// Searches that most people want to watch. They need no further choice.
import type { WatchKind } from 'vis-sdk'
import { DEFAULT_KINDS } from '../../text/watch/kinds.ts'

export interface ReadyWatch {
  readonly id: string
  readonly name: string
  readonly note: string
  readonly query: string
  readonly kinds: readonly WatchKind[]
}

export const READY_WATCHES: readonly ReadyWatch[] = [
  {
    id: 'exploited',
    name: 'Everything exploited',
    note: 'Listed by CISA or ENISA as exploited, whatever the product',
    query: 'kev_in=cisa,eu',
    kinds: ['entered', 'ransomware_added'],
  },
  {
    id: 'urgent',
    name: 'P0 and P1',
    note: 'Whatever becomes urgent by the priority policy',
    query: 'priority=P0,P1',
    kinds: DEFAULT_KINDS,
  },
]

/** The search for the products of some vendors that are not routine. */
export function toVendorWatch(vendors: readonly string[]): Pick<ReadyWatch, 'query' | 'kinds'> {
  return { query: new URLSearchParams({ product_vendor: vendors.join(',') }).toString(), kinds: DEFAULT_KINDS }
}
