import type { RecordFact } from './facts.ts'
import { readCveList } from './sources/cve-list.ts'
import { readNvd } from './sources/nvd.ts'
import { readOverride } from './sources/overrides.ts'
import { readVendor } from './sources/vendor.ts'
import type { Statement } from './statement.ts'

/** Undefined where a record says nothing: it is withdrawn, or not JSON. */
export function readStatement(fact: RecordFact): Statement | undefined {
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
