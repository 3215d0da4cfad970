// Rules about detail records that the catalog and the API share (decisions D12 and E49).

/** CVEs that reach one of these values have detail records, apart from those in KEV and those with an exploit. */
export const MIN_DETAIL_SCORE = 7
export const MIN_DETAIL_MATCHES = 50
export const MIN_DETAIL_EPSS = 0.1

/** For which CVEs full records are kept, as the end of a sentence. */
export const DETAIL_RULE = `CVEs with a score of at least ${MIN_DETAIL_SCORE.toFixed(1)}, an entry in KEV, evidence of an exploit, at least ${MIN_DETAIL_MATCHES} CPE matches or an EPSS score of at least ${MIN_DETAIL_EPSS}`

/** What a detail record can contain. It is complete if it has all of these. */
export const DETAIL_PARTS = ['score', 'weaknesses', 'products'] as const

export type DetailPart = (typeof DETAIL_PARTS)[number]

/** A record that has one of these takes precedence over a record that has none. */
export const LEADING_PARTS = ['score', 'products'] as const satisfies readonly DetailPart[]

interface DetailRecord {
  readonly metrics: { readonly cvss_v31?: unknown; readonly cvss_v40?: unknown; readonly cvss_v2?: unknown }
  readonly technical_details: { readonly cwe: readonly unknown[] }
  readonly affected_products: {
    readonly total_cpe_count: number
    readonly products: readonly { readonly affected?: boolean | undefined }[]
  }
}

/** A severity in words is not a score, and a product that the source calls unaffected does not count. */
export function listDetailParts(record: DetailRecord): readonly DetailPart[] {
  const { metrics, technical_details: technical, affected_products: named } = record
  const has: Readonly<Record<DetailPart, boolean>> = {
    score: [metrics.cvss_v31, metrics.cvss_v40, metrics.cvss_v2].some((each) => each !== null && each !== undefined),
    weaknesses: technical.cwe.length > 0,
    products: named.total_cpe_count > 0 || named.products.some(({ affected }) => affected === true),
  }
  return DETAIL_PARTS.filter((part) => has[part])
}
