/** The sources whose view of a CVE can be asked for by name (decision A12). */
export const SOURCES = ['nvd', 'cve', 'ghsa', 'redhat', 'msrc'] as const

export type Source = (typeof SOURCES)[number]
