// The release of a distribution, from the qualifier `distro` of a package URL. Scanners write `debian-12`, `bookworm`,
// `rhel-9.4` or `almalinux-9`; Debian's tracker names releases by their code names, the others by their major version.

const DEBIAN_RELEASES: Readonly<Record<string, string>> = {
  '9': 'stretch',
  '10': 'buster',
  '11': 'bullseye',
  '12': 'bookworm',
  '13': 'trixie',
  '14': 'forky',
}

const CODE_NAMES = new Set([...Object.values(DEBIAN_RELEASES), 'sid'])

const NUMBERED = /^(?:[a-z_]+-)?(\d{1,3})(?:\.\d{1,3})*$/

/** Returns null for a package without a known release. */
export function findRelease(type: string, distro: string | null): string | null {
  if (distro === null) return null
  const name = distro.toLowerCase()
  const major = NUMBERED.exec(name)?.[1]
  if (type !== 'deb') return major ?? null
  const codeName = major === undefined ? name.replace(/^debian-/, '') : DEBIAN_RELEASES[major]
  return codeName !== undefined && CODE_NAMES.has(codeName) ? codeName : null
}
