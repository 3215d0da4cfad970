// Who uses a resource of the node.
import { toClientNetwork } from './client-network.ts'

/** The id of an account or, for a caller without credentials, the name of its network. */
export type Owner = string

/**
 * Returns the owner of what a caller without credentials uses: its network, which is the /24 network of an IPv4 address and
 * the /64 network of an IPv6 address. Ids of accounts are numbers, so no network has the name of an account.
 */
export function toNetworkOwner(address: string | undefined): Owner {
  // A connection that was reset has no address any more.
  if (address === undefined) return 'unknown/0'
  const network = toClientNetwork(address)
  return network.endsWith('/64') ? network : `${network.slice(0, network.lastIndexOf('.'))}.0/24`
}

/** Names an owner in a message to its callers. */
export function nameOwner(owner: Owner): string {
  return owner.includes('/') ? 'This network' : 'This account'
}
