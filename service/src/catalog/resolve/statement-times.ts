// Finds the time of a statement: the last change of the source record that makes it.
import { formatDay, formatInstant, UNDATED } from '../../domain/instant.ts'
import type { Claim } from '../model/claim.ts'

export interface StatementTimes {
  /**
   * Returns the time of the record that makes a statement; null if no record makes it or the record has no date. NVD
   * repeats the statements of CNAs and of CISA; if the CVE List has the same statement, its time counts.
   */
  find(makesStatement: (claim: Claim) => boolean): string | null
  /** Returns null for a record without a date. */
  format(claim: Claim): string | null
}

export function findStatementTimes(claims: readonly Claim[]): StatementTimes {
  const formatted = new Map<Claim, string | null>()
  const ownFirst = [
    ...claims.filter(({ source }) => source === 'cve'),
    ...claims.filter(({ source }) => source !== 'cve'),
  ]
  const format = (claim: Claim) => {
    const known = formatted.get(claim)
    if (known !== undefined) return known
    const text = formatTime(claim)
    formatted.set(claim, text)
    return text
  }
  return {
    find: (makesStatement) => {
      const claim = ownFirst.find(makesStatement)
      return claim === undefined ? null : format(claim)
    },
    format,
  }
}

/** KEV gives the day of an entry without a time. */
function formatTime({ source, modified }: Claim): string | null {
  if (modified.getTime() === UNDATED.getTime()) return null
  return source === 'kev' ? formatDay(modified) : formatInstant(modified)
}
