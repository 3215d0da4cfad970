// The dialog that is open on the page of watches.
import type { Watch } from 'vis-sdk'
import type { ReadyWatch } from './ready.ts'

export type OpenDialog =
  | { readonly kind: 'choose' }
  | { readonly kind: 'new'; readonly watch: Pick<ReadyWatch, 'name' | 'query' | 'kinds'> }
  | { readonly kind: 'change' | 'snooze' | 'feed' | 'remove'; readonly watch: Watch }
