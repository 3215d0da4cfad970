// All checks in `vis-server catalog audit`. To add a check, add an entry to one of the lists in checks/.
import type { Check } from './check.ts'
import { KEV_AND_FIX_CHECKS } from './checks/kev-and-fixes.ts'
import { PRODUCT_CHECKS } from './checks/products.ts'
import { RECORD_CHECKS } from './checks/record.ts'
import { TEXT_CHECKS } from './checks/text.ts'

export const CHECKS: readonly Check[] = [...KEV_AND_FIX_CHECKS, ...RECORD_CHECKS, ...PRODUCT_CHECKS, ...TEXT_CHECKS]
