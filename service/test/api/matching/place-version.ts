// Places a version in the versions of a single row.

import type { ComponentVersion } from '../../../src/domain/component/component.ts'
import type { AffectedRow } from '../../../src/matching/affected-row.ts'
import { type Placement, placeRow } from '../../../src/matching/versions/place-version.ts'
import { prepareRows, probeVersion } from '../../../src/matching/versions/product-rows.ts'

type Versions = Pick<AffectedRow, 'is_vague' | 'scheme' | 'versions' | 'low' | 'low_in' | 'high' | 'high_in'>

const REST = {
  subject_key: '1',
  vendor: '',
  product: '',
  is_affected: true,
  source: '',
  target: '',
  edition: null,
  fixed: null,
  condition: null,
} as const

export function placeVersion(versions: Versions, version: ComponentVersion | null): Placement {
  const product = prepareRows([{ ...REST, ...versions }])
  const [row] = product.rows
  if (row === undefined) throw new Error('A row was lost.')
  return placeRow(row, version === null ? undefined : probeVersion(product, version))
}
