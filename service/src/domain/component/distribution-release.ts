// Reads a distribution's release from the purl qualifier `distro`, and from the names that the OSV format and SUSE's
// products have for it. Scanners write `debian-12`, `bookworm`, `rhel-9.4`, `almalinux-9`, `opensuse-leap-15.6` or
// `sles-15.5`. Debian's tracker uses code names; SUSE's service packs count as minor releases; most others use the major
// version.

const DEBIAN_RELEASES: Readonly<Record<string, string>> = {
  '9': 'stretch',
  '10': 'buster',
  '11': 'bullseye',
  '12': 'bookworm',
  '13': 'trixie',
  '14': 'forky',
}

const CODE_NAMES = new Set([...Object.values(DEBIAN_RELEASES), 'sid'])

const UBUNTU_RELEASES: Readonly<Record<string, string>> = {
  trusty: '14.04',
  xenial: '16.04',
  bionic: '18.04',
  focal: '20.04',
  jammy: '22.04',
  noble: '24.04',
  questing: '25.10',
  resolute: '26.04',
}

const NUMBERED = /^(?:[a-z_-]+-)?(\d{1,3})(\.\d{1,3})?(?:\.\d{1,3})*$/

/** Fedora also builds packages for Enterprise Linux (EPEL), which have the same names and other release numbers. */
export const FEDORA = 'fedora'
export const EPEL = 'epel'

/**
 * `vendor` is a purl's type and namespace, such as `rpm/suse`. Returns a Debian code name, a number such as `9` or `9.4`,
 * or a word and a number such as `epel:9`; null if the release is not known.
 */
export function findRelease(vendor: string, distro: string | null): string | null {
  if (distro === null) return null
  const name = distro.toLowerCase()
  if (vendor === 'deb/ubuntu') return findUbuntuRelease(name)
  if (vendor.startsWith('deb')) return findDebianRelease(name)
  if (vendor.startsWith('apk')) return findAlpineRelease(name)
  if (vendor === 'rpm/suse' || vendor === 'rpm/opensuse') return findSuseRelease(name)
  const [, major, minor = ''] = NUMBERED.exec(name) ?? []
  return major === undefined ? null : `${name.startsWith(`${EPEL}-`) ? `${EPEL}:` : ''}${major}${minor}`
}

function findDebianRelease(name: string): string | null {
  const [, major] = NUMBERED.exec(name) ?? []
  const codeName = major === undefined ? name.replace(/^debian-/, '') : DEBIAN_RELEASES[major]
  return codeName !== undefined && CODE_NAMES.has(codeName) ? codeName : null
}

function findUbuntuRelease(name: string): string | null {
  const [, major, minor] = NUMBERED.exec(name) ?? []
  if (major !== undefined) return minor === undefined ? null : `${major}${minor}`
  return UBUNTU_RELEASES[name.replace(/^ubuntu-/, '')] ?? null
}

/** Alpine's development branch calls itself by the next release, such as `3.23_alpha20251016`. */
function findAlpineRelease(name: string): string | null {
  if (/^(?:alpine-)?(?:edge|\d{1,2}\.\d{1,2}\.?\d{0,2}_alpha\d{1,8})$/.test(name)) return 'edge'
  const [, number] = /^(?:alpine-)?v?(\d{1,2}\.\d{1,2})(?:\.\d{1,2})?$/.exec(name) ?? []
  return number ?? null
}

/** SLE Micro and Leap Micro have the same packages in other versions. A release without a service pack is the first. */
function findSuseRelease(name: string): string | null {
  if (name.includes('tumbleweed')) return 'tumbleweed'
  const [, major, minor = '.0'] = /(?:^|[-. ])(\d{2}|[4-6](?=\.))(\.\d)?$/.exec(name) ?? []
  return major === undefined ? null : `${name.includes('micro') ? 'micro:' : ''}${major}${minor}`
}

/**
 * Returns the release for which an OSV ecosystem such as `AlmaLinux:9`, `Alpine:v3.19` or `Ubuntu:Pro:22.04:LTS` stands,
 * as `findRelease` writes it; an empty text if it names none. Special editions of a release, such as
 * `Ubuntu:Pro:FIPS:22.04:LTS`, have other packages.
 */
export function readEcosystemRelease(ecosystem: string): string {
  const [distribution = '', ...parts] = ecosystem.split(':')
  const name = parts.join(':')
  if (distribution === 'Debian') return findDebianRelease(name.toLowerCase()) ?? name
  if (distribution === 'Ubuntu') return readUbuntuEcosystem(parts)
  if (distribution === 'SUSE') return readSuseProduct(name)
  if (distribution === 'openSUSE') return findSuseRelease(name.toLowerCase().replace(/ nonfree$/, '')) ?? name
  return /^[A-Za-z ]+:(?:v(?=\d))?([\w.-]+)/.exec(ecosystem)?.[1] ?? ''
}

/** Ubuntu Pro has further fixes for the packages of a release. */
function readUbuntuEcosystem(parts: readonly string[]): string {
  const number = parts.find((each) => /^\d{2}\.\d{2}$/.test(each)) ?? ''
  const edition = parts.filter((each) => each !== number && each !== 'LTS' && each !== 'Pro')
  return [...edition, number].join(':')
}

/**
 * The modules and editions of SUSE Linux Enterprise share the packages of their service pack, also in long-term support
 * (LTSS): `Linux Enterprise Module for Basesystem 15 SP5` is `15.5`. The product's name itself is returned if it has
 * packages of its own.
 */
function readSuseProduct(product: string): string {
  const [, major, pack = '0'] =
    /^Linux Enterprise (?!Micro)[A-Za-z\d -]+ (\d\d)(?: SP(\d))?(?:-LTSS)?$/.exec(product) ?? []
  if (major !== undefined) return `${major}.${pack}`
  return /^Linux (?:Enterprise )?(?:Micro|Server) \d{1,2}\.\d$/.test(product)
    ? (findSuseRelease(product.toLowerCase()) ?? product)
    : product
}

/**
 * Red Hat products, as CPE names write them, that are releases of Red Hat Enterprise Linux. Other products, such as
 * `satellite`, have packages with the same names but their own release numbers.
 */
const ENTERPRISE_LINUX =
  /^(?:enterprise_linux(?:_[a-z_]+)?|rhel_(?:eus|aus|e4s|tus|els|eus_long_life|mission_critical|extras)):(\d+(?:\.\d+)?)$/

/**
 * `target` is for example `bookworm`, `9`, `rhel_eus:9.2`, or `fedora` for all of its releases; `release` is `bookworm`,
 * `9` or `9.2`. A major release includes its minor ones.
 */
export function isOfRelease(target: string, release: string): boolean {
  if (target === FEDORA || target === EPEL) return release.startsWith(`${EPEL}:`) === (target === EPEL)
  const stated = ENTERPRISE_LINUX.exec(target)?.[1] ?? target
  return stated === release || stated.startsWith(`${release}.`) || release.startsWith(`${stated}.`)
}

/** Returns true for a target such as `rhel_eus:9.2`. */
export function isMinorRelease(target: string): boolean {
  return ENTERPRISE_LINUX.exec(target)?.[1]?.includes('.') ?? false
}
