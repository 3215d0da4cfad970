// Reads a distribution's release from the purl qualifier `distro`. Scanners write `debian-12`, `bookworm`, `rhel-9.4`
// or `almalinux-9`. Debian's tracker uses code names; the others use the major version.

const DEBIAN_RELEASES: Readonly<Record<string, string>> = {
  '9': 'stretch',
  '10': 'buster',
  '11': 'bullseye',
  '12': 'bookworm',
  '13': 'trixie',
  '14': 'forky',
}

const CODE_NAMES = new Set([...Object.values(DEBIAN_RELEASES), 'sid'])

const NUMBERED = /^(?:[a-z_]+-)?(\d{1,3})(\.\d{1,3})?(?:\.\d{1,3})*$/

/** Fedora also builds packages for Enterprise Linux (EPEL), which have the same names and other release numbers. */
export const FEDORA = 'fedora'
export const EPEL = 'epel'

/** Returns a Debian code name, a number such as `9` or `9.4`, or `epel:9`; null if the release is not known. */
export function findRelease(type: string, distro: string | null): string | null {
  if (distro === null) return null
  const name = distro.toLowerCase()
  const [, major, minor = ''] = NUMBERED.exec(name) ?? []
  if (type !== 'deb' && major !== undefined) return `${name.startsWith(`${EPEL}-`) ? `${EPEL}:` : ''}${major}${minor}`
  if (type !== 'deb') return null
  const codeName = major === undefined ? name.replace(/^debian-/, '') : DEBIAN_RELEASES[major]
  return codeName !== undefined && CODE_NAMES.has(codeName) ? codeName : null
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
