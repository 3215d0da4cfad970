// The packages that the example documents list. Names, versions and fixes are facts; the documents are written for the
// tests, with the members that each tool writes.

/** A package of Debian 12 with the source package from which it is built. */
export interface DebianPackage {
  readonly name: string
  readonly source: string
  readonly epoch: string
  /** Version and release of the binary package, without the epoch. */
  readonly version: string
  /** Version and release of the source package. A rebuild has a suffix such as `+b2` in the binary package only. */
  readonly upstream: string
  readonly release: string
}

const SSL = { name: 'libssl3', source: 'openssl', epoch: '', upstream: '3.0.11', release: '1~deb12u2' }
const SSH = { name: 'openssh-client', source: 'openssh', epoch: '1', upstream: '9.2p1', release: '2+deb12u2' }
const WGET = { name: 'wget', source: 'wget', epoch: '', upstream: '1.21.3', release: '1' }

export const DEBIAN: readonly DebianPackage[] = [
  { ...SSL, version: '3.0.11-1~deb12u2' },
  { ...SSH, version: '9.2p1-2+deb12u2' },
  { ...WGET, version: '1.21.3-1+b2' },
]

export const toEpochVersion = ({ epoch, version }: DebianPackage) => (epoch === '' ? version : `${epoch}:${version}`)
export const toSourceVersion = ({ epoch, upstream, release }: DebianPackage) =>
  `${epoch === '' ? '' : `${epoch}:`}${upstream}-${release}`

/** Percent-encodes a version as purls do. */
export const encode = (text: string) => encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%7E', '~')

/** A package of Red Hat Enterprise Linux 9. */
export const RPM = {
  name: 'openssl-libs',
  epoch: '1',
  version: '3.0.7',
  release: '16.el9_2',
  source: 'openssl',
  sourceRpm: 'openssl-3.0.7-16.el9_2.src.rpm',
}

export const LODASH = { name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash@4.17.20' }
export const LOG4J = {
  group: 'org.apache.logging.log4j',
  name: 'log4j-core',
  version: '2.14.1',
  purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
}

/** What every document that lists a package must find about it. */
const FINDINGS = {
  openssl: 'openssl CVE-2024-5535 high 3.0.15-1~deb12u1',
  openssh: 'openssh CVE-2024-6387 high 1:9.2p1-2+deb12u3',
  wget: 'wget CVE-2024-38428 high 1.21.3-1+deb12u1',
  rpm: 'openssl CVE-2024-6119 high 1:3.0.7-28.el9_4',
  lodash: 'lodash CVE-2021-23337 high 4.17.21',
  log4j: 'log4j-core CVE-2021-44228 high 2.15.0',
} as const

const IMAGE = [FINDINGS.openssl, FINDINGS.openssh, FINDINGS.wget]

/** The findings by what a document lists. */
export const EXPECTED = {
  image: [...IMAGE, FINDINGS.lodash].sort(),
  packages: [...IMAGE].sort(),
  rpm: [FINDINGS.rpm],
  npm: [FINDINGS.lodash],
  maven: [FINDINGS.log4j],
  build: [FINDINGS.lodash, FINDINGS.log4j].sort(),
} as const

export interface Dialect {
  readonly tool: string
  readonly lists: keyof typeof EXPECTED
  readonly document: object
}
