// A source's full record of a CVE, or the reason why there is none.
import type { DetailRecord, PartialDetailResponse } from './records.ts'

/** The source has a full record of the CVE. */
export interface FullDetail {
  readonly kind: 'full'
  readonly blobStatus: 'available'
  readonly record: DetailRecord
}

/** The source has no full record of the CVE. `enrichment` is null if the service has not enriched the CVE either. */
export interface PartialDetail {
  readonly kind: 'partial'
  readonly blobStatus: 'partial' | 'missing'
  /** Sentence that says why there is no full record. */
  readonly message: string
  readonly cve_id: PartialDetailResponse['data']['cve_id']
  readonly vendor: PartialDetailResponse['data']['vendor']
  readonly enrichment: PartialDetailResponse['data']['enrichment']
}

/** Result of {@link Client.detail}. `kind` says whether there is a full record: check it before you read `record`. */
export type Detail = FullDetail | PartialDetail

export function toDetail(data: DetailRecord | PartialDetailResponse, blobStatus: string | null): Detail {
  if (!('status' in data)) return { kind: 'full', blobStatus: 'available', record: data }
  const { message, data: partial } = data
  return { kind: 'partial', blobStatus: blobStatus === 'partial' ? 'partial' : 'missing', message, ...partial }
}
