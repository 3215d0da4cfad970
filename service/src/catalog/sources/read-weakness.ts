import type { Weakness, Speaker } from '../model/claim.ts'

const CWE = /^\s*CWE-?(\d{1,5})(?!\d)/i

/** A CWE that stands at the beginning of a text; nothing for NVD-CWE-noinfo, NVD-CWE-Other and prose. */
export function readWeakness(text: string, by: Speaker): Weakness | undefined {
  const number = CWE.exec(text)?.[1]
  return number === undefined ? undefined : { id: `CWE-${Number(number)}`, by }
}
