// Attributes a value to its provider and to a time: the last change of the source record that states the value.
import { formatDay, formatInstant, UNDATED } from '../../domain/instant.ts'
import type { Claim, Provider } from '../model/claim.ts'
import type { Attributed } from '../model/resolved.ts'

export function attribute<T>(value: T, claim: Claim, by: Provider = claim.provider): Attributed<T> {
  return { value, by, time: findTime(claim) }
}

/** Returns null if there is no date. KEV gives a day without a time. */
export function findTime({ source, modified }: Claim): string | null {
  if (modified.getTime() === UNDATED.getTime()) return null
  return source === 'kev' ? formatDay(modified) : formatInstant(modified)
}

/** NVD repeats statements by CNAs and CISA; their own records in the CVE List come first. */
export function orderOwnFirst(claims: readonly Claim[]): readonly Claim[] {
  return [...claims.filter(({ source }) => source === 'cve'), ...claims.filter(({ source }) => source !== 'cve')]
}

export type ProviderTimes = ReadonlyMap<Provider, string | null>

/**
 * Finds, for each provider, the time of the first record that lists one of its statements. The providers' own records
 * come first.
 */
export function findTimes(
  claims: readonly Claim[],
  list: (claim: Claim) => readonly { readonly by: Provider }[],
): ProviderTimes {
  const times = new Map<Provider, string | null>()
  for (const claim of orderOwnFirst(claims))
    for (const { by } of list(claim)) if (!times.has(by)) times.set(by, findTime(claim))
  return times
}
