import { BlockList, isIP } from 'node:net'

/** The form in which Node reports an IPv4 client of a dual-stack socket. */
const MAPPED_IPV4 = /^::ffff:([\d.]{7,15})$/i

const RANGE = /^([\da-f.:]{2,39})(?:\/(\d{1,3}))?$/i

interface AddressRange {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  readonly prefixLength: number
}

/** Returns undefined for text that is neither an IP address nor a range. */
function parseAddressRange(text: string): AddressRange | undefined {
  const [, address = '', length] = RANGE.exec(text) ?? []
  const version = isIP(address)
  if (version === 0) return undefined
  const maxLength = version === 4 ? 32 : 128
  const prefixLength = length === undefined ? maxLength : Number(length)
  if (prefixLength > maxLength) return undefined
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', prefixLength }
}

/**
 * Returns the range as PostgreSQL stores it, with all bits after the prefix set to zero, or undefined for other text.
 */
export function normalizeAddressRange(text: string): string | undefined {
  const range = parseAddressRange(text)
  if (!range || isMapped(range.address)) return undefined
  const bits = range.family === 'ipv4' ? 32 : 128
  const hostBits = BigInt(bits - range.prefixLength)
  const value = ((range.family === 'ipv4' ? readIpv4(range.address) : readIpv6(range.address)) >> hostBits) << hostBits
  const address = range.family === 'ipv4' ? formatIpv4(value) : formatIpv6(value)
  return `${address}/${range.prefixLength}`
}

/**
 * Returns true if all bits after the prefix are zero. Otherwise the address and the prefix length contradict each
 * other.
 */
export function isWholeRange(text: string): boolean {
  const range = parseAddressRange(text)
  if (!range) return false
  const value = range.family === 'ipv4' ? readIpv4(range.address) : readIpv6(range.address)
  const hostBits = BigInt((range.family === 'ipv4' ? 32 : 128) - range.prefixLength)
  return (value >> hostBits) << hostBits === value
}

/** An empty list allows every address. */
export function createAddressCheck(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true
  const allowed = new BlockList()
  for (const text of ranges) {
    const range = parseAddressRange(text)
    // A range that this version cannot read must not allow every address, so it allows none.
    if (range) allowed.addSubnet(range.address, range.prefixLength, range.family)
  }
  return (address) => {
    const plain = MAPPED_IPV4.exec(address)?.[1] ?? address
    const version = isIP(plain)
    return version !== 0 && allowed.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

const isMapped = (address: string) => isIP(address) === 6 && readIpv6(address) >> 32n === 0xffffn

function readIpv4(address: string): bigint {
  return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
}

function readIpv6(address: string): bigint {
  const [start = '', end] = address.split('::')
  const [head, tail] = [readGroups(start), readGroups(end ?? '')]
  const zeros = Array.from({ length: end === undefined ? 0 : 8 - head.length - tail.length }, () => 0n)
  return [...head, ...zeros, ...tail].reduce((value, group) => (value << 16n) | group, 0n)
}

/** Returns the 16-bit groups of an IPv6 address. The last two may be written as an IPv4 address. */
function readGroups(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const value = readIpv4(group)
    return [value >> 16n, value & 0xffffn]
  })
}

/** The URL parser writes the longest run of zero groups as `::` (RFC 5952). */
function formatIpv6(value: bigint): string {
  const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
