// The table of all kinds of doubt that `vis-server catalog audit` counts. To add a kind, add an entry to one of the lists
// in kinds/.
import type { Kind } from './kind.ts'
import { KEV_AND_FIX_KINDS } from './kinds/kev-and-fixes.ts'
import { PRODUCT_KINDS } from './kinds/products.ts'
import { RECORD_KINDS } from './kinds/record.ts'
import { TEXT_KINDS } from './kinds/text.ts'

export const KINDS: readonly Kind[] = [...KEV_AND_FIX_KINDS, ...RECORD_KINDS, ...PRODUCT_KINDS, ...TEXT_KINDS]
