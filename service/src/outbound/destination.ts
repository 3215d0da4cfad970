// Checks the destination of a download: the host is allowed, the protocol is https, and the IP address is public.
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { findAddressIssue } from './addresses.ts'
import { permanent, toNetworkError } from './request-error.ts'

export interface HostPolicy {
  readonly allowedHosts: readonly string[]
  readonly privateHosts: readonly string[]
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>
}

export function checkHost(url: URL, hosts: readonly string[]): void {
  if (!includesHost(hosts, url)) throw permanent(`${url.host} is not an allowed host, expected ${formatHosts(hosts)}`)
}

/** A redirect must lead to one of the feed's redirect hosts, and never from https to http. */
export function checkRedirect(from: URL, to: URL, hosts: readonly string[]): void {
  if (!includesHost(hosts, to))
    throw permanent(
      `the server redirects to ${to.host}, expected ${hosts.length === 0 ? 'no redirect' : formatHosts(hosts)}`,
    )
  if (from.protocol === 'https:' && to.protocol !== 'https:')
    throw permanent(`the server redirects from https to ${to.protocol}//${to.host}, expected https`)
}

/** Checks IP addresses in a URL, for which Node does not call `createLookup`. */
export function checkDestination(url: URL, policy: HostPolicy): void {
  const isPrivate = includesHost(policy.privateHosts, url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPrivate))
    throw permanent(
      `${url.protocol}//${url.host} is not encrypted, expected https (http is allowed for private hosts only)`,
    )
  const address = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) checkAddress(address, isPrivate)
}

/** Resolves and checks in one step, so that Node connects to the checked address even if DNS changes meanwhile. */
export function createLookup(url: URL, policy: HostPolicy): LookupFunction {
  const isPrivate = includesHost(policy.privateHosts, url)
  return (hostname, { all }, callback) => {
    const resolve = callbackify(() => resolveAddresses(hostname, isPrivate, policy))
    resolve((error, addresses) => {
      const [first] = addresses ?? []
      if (!first) callback(toNetworkError(error), '')
      else if (all) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })
  }
}

async function resolveAddresses(
  hostname: string,
  isPrivate: boolean,
  policy: HostPolicy,
): Promise<readonly LookupAddress[]> {
  const addresses = await policy.resolve(hostname)
  if (addresses.length === 0) throw permanent('DNS has no address for the host')
  // A single forbidden IP address is enough to refuse a host name: a mix of public and private addresses is an attack.
  for (const { address } of addresses) checkAddress(address, isPrivate)
  return addresses
}

function checkAddress(address: string, isPrivate: boolean): void {
  const issue = findAddressIssue(address, isPrivate)
  if (issue) throw permanent(`the host resolves to a forbidden address: ${issue}, expected a public address`)
}

function includesHost(hosts: readonly string[], url: URL): boolean {
  return hosts.some((each) => each.toLowerCase() === url.host)
}

function formatHosts(hosts: readonly string[]): string {
  return hosts.join(' or ') || 'no host'
}
