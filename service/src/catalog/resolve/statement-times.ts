// Finds the time of a provider's statements: the last change of the source record that contains them.
import { formatDay, formatInstant, UNDATED } from '../../domain/instant.ts'
import type { Claim, Provider } from '../model/claim.ts'

export interface StatementTimes {
  /**
   * Returns the time of a provider's statement; null if no date is known. If the provider has several records, as GHSA
   * can, a `description` selects the record with that description.
   */
  find(provider: Provider, description?: string): string | null
  /**
   * Returns the time of the record that contains references of an organisation. References name organisations without
   * their role, so that `redhat` can be the CNA in a CVE List record or the VEX documents of Red Hat.
   */
  findReferences(organisation: string): string | null
  /** Returns null for a record without a date. */
  format(claim: Claim): string | null
}

export function findStatementTimes(claims: readonly Claim[]): StatementTimes {
  const byProvider = new Map<string, string | null>()
  const formatted = new Map<Claim, string | null>()
  const format = (claim: Claim) => {
    const known = formatted.get(claim)
    if (known !== undefined) return known
    const text = formatTime(claim)
    formatted.set(claim, text)
    return text
  }
  const findClaim = (provider: Provider, description: string | undefined) =>
    (description && claims.find((each) => each.provider === provider && each.description === description)) ||
    claims.find((each) => each.provider === provider) ||
    findClaimThatNames(claims, provider)
  return {
    find: (provider, description) => {
      const known = description === undefined ? byProvider.get(provider) : undefined
      if (known !== undefined) return known
      const claim = findClaim(provider, description)
      const time = claim ? format(claim) : null
      if (description === undefined) byProvider.set(provider, time)
      return time
    },
    findReferences: (organisation) => {
      const claim = findFirst(claims, ({ references }) => references.some(({ by }) => by === organisation))
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

/**
 * Returns the claim that repeats a statement of the provider. NVD repeats the statements of CNAs and of CISA; the CVE
 * List, which has their own words, comes first.
 */
function findClaimThatNames(claims: readonly Claim[], provider: Provider): Claim | undefined {
  return findFirst(claims, (claim) => namesProvider(claim, provider))
}

function findFirst(claims: readonly Claim[], isWanted: (claim: Claim) => boolean): Claim | undefined {
  const wanted = claims.filter(isWanted)
  return wanted.find(({ source }) => source === 'cve') ?? wanted[0]
}

function namesProvider(claim: Claim, provider: Provider): boolean {
  const isBy = ({ by }: { readonly by: string }) => by === provider
  return (
    claim.configurationsBy === provider ||
    claim.tags.some(isBy) ||
    claim.fixBy === provider ||
    claim.ratings.some(isBy) ||
    claim.weaknesses.some(isBy) ||
    claim.affected.some(isBy) ||
    (claim.ssvc ?? []).some(isBy) ||
    (claim.solutions ?? []).some(isBy)
  )
}
