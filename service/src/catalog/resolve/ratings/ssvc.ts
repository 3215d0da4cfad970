import type { Claim, Ssvc } from '../../model/claim.ts'
import type { Attributed, Chosen } from '../../model/resolved.ts'
import { CISA_ADP } from '../../sources/provider.ts'
import { choose, compareText } from '../precedence.ts'
import { findTime } from '../provenance.ts'

/**
 * The newest assessment by CISA, else by another provider. Values of several assessments are never mixed. NVD repeats
 * the assessments of the CVE List.
 */
export function resolveSsvc(claims: readonly Claim[]): Chosen<Ssvc> | null {
  const distinct = new Map(
    claims.flatMap((claim) => (claim.ssvc ?? []).map((each) => [JSON.stringify(each), attributeSsvc(each, claim)])),
  )
  const ordered = [...distinct.values()].sort(
    ({ value: a }, { value: b }) =>
      Number(b.by === CISA_ADP) - Number(a.by === CISA_ADP) ||
      compareText(b.date ?? '', a.date ?? '') ||
      compareText(JSON.stringify(a), JSON.stringify(b)),
  )
  return choose(ordered)
}

/** The day of an assessment is more exact than the time of its record. */
function attributeSsvc(assessed: Ssvc, claim: Claim): Attributed<Ssvc> {
  return { value: assessed, by: assessed.by, time: assessed.date ?? findTime(claim) }
}
