// Finds packages that a third party builds under the name of a distribution's package. The distribution's statements say
// nothing about such a package: neither that it is affected, nor that it is fixed.

/**
 * Marks in versions. Debian's backports (`~bpo`) are built by Debian, but its security tracker does not list them. No
 * version in the tracker has one of these marks.
 */
const MARKS: Readonly<Record<string, RegExp>> = {
  deb: /nodesource|~bpo\d|ubuntu|pgdg|\bsury\b|\+rp[it]\d|\+maria~|percona|kali\d|~debian\.|\ddebian\d|~(?:stretch|buster|bullseye|bookworm|trixie|forky|bionic|focal|jammy|noble)\b/,
  rpm: /nodesource|\.remi\b|\.elrepo\b|PGDG|percona|\.ius\b/,
}

const UBUNTU = 'ubuntu'

interface Build {
  readonly type: string
  /** The distribution, such as `debian`. */
  readonly namespace: string
  readonly version: string | null
  readonly distro: string | null
  /** The purl's qualifier `vendor`. */
  readonly vendor: string | null
}

/** Returns what shows the third party, or undefined. */
export function findThirdParty({ type, namespace, version, distro, vendor }: Build): string | undefined {
  const marks = MARKS[type]
  if (marks === undefined || namespace === '') return undefined
  if (vendor !== null && !toLetters(vendor).includes(toLetters(namespace))) return vendor
  const other = type === 'deb' ? /^([a-z]+)-\d/i.exec(distro ?? '')?.[1]?.toLowerCase() : undefined
  if (other !== undefined && other !== namespace) return other
  const text = version ?? ''
  return marks.exec(namespace === UBUNTU ? text.replaceAll(UBUNTU, '') : text)?.[0]
}

function toLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '')
}
