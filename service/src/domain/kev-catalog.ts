/**
 * Catalogs of vulnerabilities that are known to be exploited: CISA's KEV and ENISA's EU KEV (decision E23). Entries of
 * one day have this order in an answer.
 */
export const KEV_CATALOGS = ['cisa', 'eu'] as const

export type KevCatalog = (typeof KEV_CATALOGS)[number]
