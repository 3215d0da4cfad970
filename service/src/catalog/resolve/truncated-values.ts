// Finds the values of a CVE whose text or list was cut, because it is too long (decision E42).
import type { Claim, Provider } from '../model/claim.ts'
import type { SourceData } from '../model/source-data.ts'
import { CISA_KEV } from '../sources/kev.ts'

/** Returns whether what the source states about the value, by its name in `include=sources`, was cut. */
export type IsTruncated = (name: string, source: Provider) => boolean

/** Returns undefined for a CVE without truncated values, as nearly all are. */
export function findTruncated(claims: readonly Claim[], sourceData: SourceData): IsTruncated | undefined {
  const { kev, notices, exploits } = sourceData
  const isAnyRow = [kev, ...notices, ...exploits].some((each) => each?.isTruncated)
  if (!isAnyRow && !claims.some(({ truncated }) => truncated)) return undefined
  return (name, source) => {
    switch (name) {
      case 'kev':
        return kev?.isTruncated === true
      case 'acsc':
        return notices.some(({ isTruncated }) => isTruncated)
      case 'exploits':
        return exploits.some((each) => each.isTruncated && each.feed === source)
      default:
        return claims.some((claim) => isCutIn(claim, name, source)) || isKevText(name, source, sourceData)
    }
  }
}

function isCutIn(claim: Claim, name: string, source: Provider): boolean {
  return claim.truncated?.some((each) => each === name) === true && hasProvider(claim, source)
}

/** Returns whether a statement of the provider can come from the record of the claim. */
function hasProvider({ provider, affected, references, weaknesses }: Claim, source: Provider): boolean {
  return provider === source || [...affected, ...references, ...weaknesses].some(({ by }) => by === source)
}

/** The description of a KEV entry is one of its texts, which are cut together. */
function isKevText(name: string, source: Provider, { kev }: SourceData): boolean {
  return name === 'description' && source === CISA_KEV && kev?.isTruncated === true
}
