// Decides which IP addresses a download may connect to. Upstream servers are on the public Internet: a host name that
// resolves to our own network, or to the metadata service of a cloud provider, is an attack or a mistake.
//
// The ranges are those of the IANA registries of special-purpose IPv4 and IPv6 addresses (RFC 6890). Ranges that these
// registries call globally reachable but that never hold a web server, such as those of AS112, are refused too.
import { BlockList, isIP } from 'node:net'

interface AddressKind {
  /** Description of the kind of IP address. It completes the sentence "<address> is …". */
  readonly description: string
  /** True for kinds of IP addresses at which an operator's own mirror may run. */
  readonly isInternal: boolean
  readonly ranges: readonly string[]
}

const KINDS: readonly AddressKind[] = [
  { description: 'a loopback address', isInternal: true, ranges: ['127.0.0.0/8', '::1/128'] },
  {
    description: 'a private address',
    isInternal: true,
    ranges: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  },
  { description: 'a link-local address', isInternal: false, ranges: ['169.254.0.0/16', 'fe80::/10'] },
  { description: 'an unspecified address', isInternal: false, ranges: ['0.0.0.0/8', '::/128'] },
  { description: 'a multicast address', isInternal: false, ranges: ['224.0.0.0/4', 'ff00::/8'] },
  {
    description: 'a reserved address',
    isInternal: false,
    ranges: [
      '192.0.0.0/24', // IETF protocol assignments
      '192.0.2.0/24', // documentation
      '192.31.196.0/24', // AS112
      '192.52.193.0/24', // AMT relays
      '192.88.99.0/24', // 6to4 relays, withdrawn by RFC 7526
      '192.175.48.0/24', // AS112
      '198.18.0.0/15', // benchmarks
      '198.51.100.0/24', // documentation
      '203.0.113.0/24', // documentation
      '240.0.0.0/4', // future use and limited broadcast
    ],
  },
  {
    description: 'a reserved address',
    isInternal: false,
    // Teredo and 6to4 addresses embed an arbitrary IPv4 address, and both mechanisms are obsolete.
    ranges: [
      '64:ff9b:1::/48', // translation to IPv4 inside one network
      '100::/64', // discarded packets
      '100:0:0:1::/64', // dummy addresses
      '2001::/23', // IETF protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID, drones
      '2001:db8::/32', // documentation
      '2002::/16', // 6to4
      '2620:4f:8000::/48', // AS112
      '3fff::/20', // documentation
      '5f00::/16', // segment routing
      'fec0::/10', // site-local addresses, withdrawn by RFC 3879
    ],
  },
]

const BLOCKED = KINDS.map(({ ranges, ...kind }) => ({ ...kind, list: createBlockList(ranges.flatMap(addTranslated)) }))

/** Global unicast, and the two ranges that embed an IPv4 address, which is also checked against KINDS. */
const PUBLIC_IPV6 = createBlockList(['2000::/3', '64:ff9b::/96', '::ffff:0:0/96'])

/** Returns the reason why a download may not connect to this IP address, or undefined if it may. */
export function findAddressIssue(address: string, isPrivateHost: boolean): string | undefined {
  const version = isIP(address)
  if (version === 0) return `${JSON.stringify(address)} is not an IP address`
  const family = version === 6 ? 'ipv6' : 'ipv4'
  const kind = BLOCKED.find(({ list }) => list.check(address, family))
  if (kind) return kind.isInternal && isPrivateHost ? undefined : `${address} is ${kind.description}`
  // BlockList.check returns false for an address that it cannot parse, such as IPv6 with a zone, so it is refused.
  return version === 6 && !PUBLIC_IPV6.check(address, family) ? `${address} is a reserved address` : undefined
}

/** IPv6-only networks reach IPv4 by translation (RFC 6052): 10.0.0.0/8 is also 64:ff9b::10.0.0.0/104. */
function addTranslated(range: string): string[] {
  const [subnet = '', bits = ''] = range.split('/')
  return isIP(subnet) === 4 ? [range, `64:ff9b::${subnet}/${Number(bits) + 96}`] : [range]
}

function createBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [subnet = '', bits = ''] = range.split('/')
    list.addSubnet(subnet, Number(bits), isIP(subnet) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
