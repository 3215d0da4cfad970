// Data sources whose own record of a CVE a caller can request by name (decision A12).

/** Data sources whose records are stored as VendorRecord. Requests for their own records require an enterprise plan. */
export const VENDOR_SOURCES = ['ghsa', 'redhat', 'msrc'] as const

export type VendorSource = (typeof VENDOR_SOURCES)[number]

/** Data sources that the request parameter `vendor` accepts. */
export const SOURCES = ['nvd', 'cve', ...VENDOR_SOURCES] as const

export type Source = (typeof SOURCES)[number]

export function isVendorSource(source: string | undefined): source is VendorSource {
  return VENDOR_SOURCES.some((each) => each === source)
}
