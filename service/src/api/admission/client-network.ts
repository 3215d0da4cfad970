import { isIPv6 } from 'node:net'

/** The form in which Node reports an IPv4 client of a dual-stack socket. */
const MAPPED_IPV4 = /^::ffff:([\d.]{7,15})$/i

/**
 * Returns the first 64 bits of an IPv6 address: a client usually has a whole /64 network and can change its address at
 * will.
 */
export function toClientNetwork(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [start = '', end] = address.split('::')
  const [head, tail] = [splitGroups(start), splitGroups(end ?? '')]
  const zeros = end === undefined ? 0 : 8 - head.length - tail.length
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

function splitGroups(text: string): readonly string[] {
  return text === '' ? [] : text.split(':')
}
