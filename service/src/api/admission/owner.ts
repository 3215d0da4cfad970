import { toClientNetwork } from './client-network.ts'

/** An account's id or, for a caller without credentials, the name of its network. */
export type Owner = string

/**
 * The /24 network of an IPv4 address, the /64 of an IPv6 address. Account ids are numbers, so the two cannot collide.
 */
export function toNetworkOwner(address: string | undefined): Owner {
  // The address of a reset connection is gone.
  if (address === undefined) return 'unknown/0'
  const network = toClientNetwork(address)
  return network.endsWith('/64') ? network : `${network.slice(0, network.lastIndexOf('.'))}.0/24`
}

/** Names the owner in a message to its callers. */
export function nameOwner(owner: Owner): string {
  return owner.includes('/') ? 'This network' : 'This account'
}
