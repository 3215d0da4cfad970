// Which addresses a download may connect to. An upstream is a guest of the public Internet: a name that leads into our
// own network, or into the metadata service of a cloud, is an attack or a mistake.
import { BlockList, isIP } from 'node:net'

interface Kind {
  /** Completes "… is …". */
  readonly words: string
  /** Where a mirror of one's own may be. */
  readonly isInternal: boolean
  readonly ranges: readonly string[]
}

const KINDS: readonly Kind[] = [
  { words: 'a loopback address', isInternal: true, ranges: ['127.0.0.0/8', '::1/128'] },
  {
    words: 'a private address',
    isInternal: true,
    ranges: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  },
  { words: 'a link-local address', isInternal: false, ranges: ['169.254.0.0/16', 'fe80::/10'] },
  { words: 'an unspecified address', isInternal: false, ranges: ['0.0.0.0/8', '::/128'] },
  { words: 'a multicast address', isInternal: false, ranges: ['224.0.0.0/4', 'ff00::/8'] },
  {
    words: 'a reserved address',
    isInternal: false,
    ranges: ['192.0.0.0/24', '192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4'],
  },
  // Teredo and 6to4 wrap an IPv4 address of anybody's choice; both are long out of use.
  { words: 'a reserved address', isInternal: false, ranges: ['2001::/32', '2002::/16', '2001:db8::/32'] },
]

const LISTED = KINDS.map(({ ranges, ...kind }) => ({ ...kind, list: listOf(ranges.flatMap(withTranslated)) }))

/** Global unicast, and the two forms that carry an IPv4 address, which KINDS judge by that address. */
const PUBLIC_IPV6 = listOf(['2000::/3', '64:ff9b::/96', '::ffff:0:0/96'])

/** Why this address may not be connected to; undefined: it may. */
export function complaintAboutAddress(address: string, isOfPrivateHost: boolean): string | undefined {
  const version = isIP(address)
  if (version === 0) return `${JSON.stringify(address)} is no IP address`
  const family = version === 6 ? 'ipv6' : 'ipv4'
  const kind = LISTED.find(({ list }) => list.check(address, family))
  if (kind) return kind.isInternal && isOfPrivateHost ? undefined : `${address} is ${kind.words}`
  // A list finds nothing in what it cannot read, such as an address with a zone: that is refused here too.
  return version === 6 && !PUBLIC_IPV6.check(address, family) ? `${address} is a reserved address` : undefined
}

/** Networks without IPv4 reach it by translation (RFC 6052): there, 10.0.0.0/8 is 64:ff9b::10.0.0.0/104 as well. */
function withTranslated(range: string): string[] {
  const [subnet = '', bits = ''] = range.split('/')
  return isIP(subnet) === 4 ? [range, `64:ff9b::${subnet}/${Number(bits) + 96}`] : [range]
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [subnet = '', bits = ''] = range.split('/')
    list.addSubnet(subnet, Number(bits), isIP(subnet) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
