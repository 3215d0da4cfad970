// What a source knows in full about a CVE, or why that is not there.
import type { DetailRecord, PartialDetail } from './records.ts'

/** There is a full record. */
export interface FullDetail {
  readonly kind: 'full'
  readonly blobStatus: 'available'
  readonly record: DetailRecord
}

/** There is none: only what every CVE has, or, when `enrichment` is null, not even that. */
export interface PartialAnswer {
  readonly kind: 'partial'
  readonly blobStatus: 'partial' | 'missing'
  /** Why, in a sentence. */
  readonly message: string
  readonly cve_id: PartialDetail['data']['cve_id']
  readonly vendor: PartialDetail['data']['vendor']
  readonly enrichment: PartialDetail['data']['enrichment']
}

/** What {@link Client.detail} answers: ask for its `kind`. */
export type Detail = FullDetail | PartialAnswer

export function detailOf(data: DetailRecord | PartialDetail, blobStatus: string | null): Detail {
  if (!('status' in data)) return { kind: 'full', blobStatus: 'available', record: data }
  const { message, data: known } = data
  return { kind: 'partial', blobStatus: blobStatus === 'partial' ? 'partial' : 'missing', message, ...known }
}
