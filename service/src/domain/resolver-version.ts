/**
 * Increase this when the resolver gives a different result for the same source data: every CVE is then published again.
 */
export const RESOLVER_VERSION = '1.20'
