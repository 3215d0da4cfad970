// Whom we may ask: hosts that somebody named, over https, at addresses that lead where such a host can be.
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { complaintAboutAddress } from './addresses.ts'
import { lasting, toNetworkError } from './download-error.ts'

export interface Reach {
  readonly allowedHosts: readonly string[]
  readonly privateHosts: readonly string[]
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>
}

export function checkHost(url: URL, hosts: readonly string[]): void {
  if (!includesHost(hosts, url)) throw lasting(`${url.host} is not a host that may be asked, expected ${oneOf(hosts)}`)
}

/** A redirect is followed only where the feed said that one may lead, and never to less safety. */
export function checkRedirect(from: URL, to: URL, hosts: readonly string[]): void {
  if (!includesHost(hosts, to))
    throw lasting(`the server redirects to ${to.host}, expected ${hosts.length === 0 ? 'no redirect' : oneOf(hosts)}`)
  if (from.protocol === 'https:' && to.protocol !== 'https:')
    throw lasting(`the server redirects from https to ${to.protocol}//${to.host}, expected https`)
}

/** Of a name the addresses are not known yet: `lookupOf` judges them. A literal address is connected to without it. */
export function checkPlace(url: URL, reach: Reach): void {
  const isPrivate = includesHost(reach.privateHosts, url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPrivate))
    throw lasting(`${url.protocol}//${url.host} is not safe, expected https (plain http is for private hosts only)`)
  const address = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) checkAddress(address, isPrivate)
}

/** Resolves, checks and hands over in one step: what was checked is what is connected to, whatever DNS says later. */
export function lookupOf(url: URL, reach: Reach): LookupFunction {
  const isPrivate = includesHost(reach.privateHosts, url)
  return (hostname, { all }, callback) => {
    const found = callbackify(() => checkedAddresses(hostname, isPrivate, reach))
    found((error, addresses) => {
      const [first] = addresses ?? []
      if (!first) callback(toNetworkError(error), '')
      else if (all) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })
  }
}

async function checkedAddresses(hostname: string, isPrivate: boolean, reach: Reach): Promise<readonly LookupAddress[]> {
  const addresses = await reach.resolve(hostname)
  if (addresses.length === 0) throw lasting('DNS knows no address of the host')
  // One bad address among good ones is enough: whoever mixes them means harm.
  for (const { address } of addresses) checkAddress(address, isPrivate)
  return addresses
}

function checkAddress(address: string, isPrivate: boolean): void {
  const complaint = complaintAboutAddress(address, isPrivate)
  if (complaint)
    throw lasting(`its host leads into a network where no upstream is: ${complaint}, expected a public one`)
}

function includesHost(hosts: readonly string[], url: URL): boolean {
  return hosts.some((each) => each.toLowerCase() === url.host)
}

function oneOf(hosts: readonly string[]): string {
  return hosts.join(' or ') || 'none at all'
}
