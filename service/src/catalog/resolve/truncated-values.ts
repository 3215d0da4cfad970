// Finds the values whose text or list was too long (decision E42).
import type { Claim, Provider } from '../model/claim.ts'
import type { SourceData } from '../model/source-data.ts'
import { CISA_KEV } from '../sources/kev.ts'

/** `name` is the value's name in `include=sources`. */
export type IsTruncated = (name: string, source: Provider) => boolean

/** Returns undefined if no value was truncated, as for nearly all CVEs. */
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

/** Whether a statement by the provider can come from the claim's record. */
function hasProvider({ provider, affected, references, weaknesses }: Claim, source: Provider): boolean {
  return provider === source || [...affected, ...references, ...weaknesses].some(({ by }) => by === source)
}

/** All texts of a KEV entry are truncated together. */
function isKevText(name: string, source: Provider, { kev }: SourceData): boolean {
  return name === 'description' && source === CISA_KEV && kev?.isTruncated === true
}
