import type { Statement } from '../model/claim.ts'
import type { RecordFact } from '../model/source-data.ts'
import { readCveList } from './cve-list.ts'
import { readNvd } from './nvd.ts'
import { readOverride } from './overrides.ts'
import { readVendor } from './vendor.ts'

/** Undefined where a record says nothing: it is withdrawn, or not JSON. */
export function readClaim(fact: RecordFact): Statement | undefined {
  switch (fact.source) {
    case 'nvd':
      return readNvd(fact)
    case 'cve':
      return readCveList(fact)
    case 'overrides':
      return readOverride(fact)
    case 'ghsa':
    case 'redhat':
    case 'msrc':
      return readVendor(fact.source, fact)
  }
}
