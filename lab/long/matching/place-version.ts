// Places a version in the versions of a single row.

import type { ComponentVersion } from '../../../service/src/domain/component/component.ts'
import { type Placement, placeRow } from '../../../service/src/matching/versions/place-version.ts'
import { prepareRows, probeVersion } from '../../../service/src/matching/versions/product-rows.ts'
import type { StoredRow } from '../../../service/src/record/affected-row.ts'

type Versions = Pick<StoredRow, 'isVague' | 'scheme' | 'versions' | 'low' | 'isLowIncluded' | 'high' | 'isHighIncluded'>

const REST = {
  subjectKey: '1',
  vendor: '',
  product: '',
  isAffected: true,
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
