// Data sources whose record of a CVE a caller can ask for by name (decision A12).

/** Sources whose records have the form of VendorRecord. Their own records require an enterprise plan. */
export const VENDOR_SOURCES = ['ghsa', 'redhat', 'msrc'] as const

export type VendorSource = (typeof VENDOR_SOURCES)[number]

/** Sources that the `vendor` parameter accepts. */
export const SOURCES = ['nvd', 'cve', ...VENDOR_SOURCES] as const

export type Source = (typeof SOURCES)[number]

export function isVendorSource(source: string | undefined): source is VendorSource {
  return VENDOR_SOURCES.some((each) => each === source)
}
