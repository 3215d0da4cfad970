import type { Provider, Weakness } from '../../model/claim.ts'

const CWE = /^\s*CWE-?(\d{1,5})(?!\d)/i

/** Returns undefined for NVD-CWE-noinfo, NVD-CWE-Other and prose. */
export function readWeakness(text: string, by: Provider): Weakness | undefined {
  const number = CWE.exec(text)?.[1]
  return number === undefined ? undefined : { id: `CWE-${Number(number)}`, by }
}
