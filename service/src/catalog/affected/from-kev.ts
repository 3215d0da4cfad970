// Creates rows from the names that only a KEV catalog gives. The catalogs name no versions and no CPE names, so such a
// row is vague: it makes at most a weak match, never an affected verdict (decision E37).
import { type AffectedRow, DERIVED, UNLIMITED } from '../../record/affected-row.ts'
import type { SourceData } from '../model/source-data.ts'
import { listKevNames } from '../sources/kev-names.ts'

/** Returns no rows if a source with CPE names, or with names from which they are derived, names the product. */
export function collectFromKev(
  catalogs: Pick<SourceData, 'kev' | 'euKev'>,
  others: readonly AffectedRow[],
): readonly AffectedRow[] {
  if (others.some(({ kind }) => kind === 'cpe')) return []
  return listKevNames(catalogs).map(({ by, vendor, product }) => ({
    ...UNLIMITED,
    kind: 'cpe',
    vendor,
    product,
    target: '',
    edition: null,
    versions: null,
    scheme: 'generic',
    isVague: true,
    isAffected: true,
    fixed: null,
    condition: null,
    source: `${DERIVED}${by}`,
  }))
}
