import { toClientNetwork } from './client-network.ts'

/** An account's id or, for a caller without credentials, the name of its network. */
export type Owner = string

/**
 * Returns the /24 network of an IPv4 address or the /64 network of an IPv6 address. Account ids are numbers, so they
 * cannot collide with networks.
 */
export function toNetworkOwner(address: string | undefined): Owner {
  // The address of a reset connection is no longer available.
  if (address === undefined) return 'unknown/0'
  const network = toClientNetwork(address)
  return network.endsWith('/64') ? network : `${network.slice(0, network.lastIndexOf('.'))}.0/24`
}

/** Names the owner in a message to its callers. */
export function nameOwner(owner: Owner): string {
  return owner.includes('/') ? 'This network' : 'This account'
}
