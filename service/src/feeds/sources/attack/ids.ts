export const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/
export const CAPEC_ID = /^CAPEC-[1-9]\d{0,5}$/
export const CWE_ID = /^CWE-[1-9]\d{0,5}$/

/** Each once, in an order that does not depend on who listed them. */
export function sortedIds(ids: readonly string[]): string[] {
  return [...new Set(ids)].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}
