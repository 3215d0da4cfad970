// Reads the edition that the CPE names of a product's entry have in common: editions have fixed versions of their own.
import { readEdition } from '../../../domain/cpe/cpe.ts'
import type { Affected } from '../../model/claim.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'

export function readEntryEdition({ cpes }: Affected): { readonly edition?: string } {
  if (cpes.length === 0) return {}
  const editions = new Set(
    cpes.map((cpe) => {
      const name = parseCpeCached(cpe)
      return name && readEdition(name)
    }),
  )
  const [edition] = editions
  return editions.size === 1 && edition ? { edition } : {}
}
