// Advisory databases in the OSV format. Each is a separate feed: if one is unreachable, the others go on, and each has
// its own age.
import { PACKAGE_TYPES, type PurlType } from '../purl/package-types.ts'
import type { AliasForm, OsvDescriptor, PackageSet } from './descriptor.ts'
import { APACHE, CC_BY, CC0 } from './terms.ts'

const HOUR = 60 * 60

/** Only what differs between the databases. */
interface OsvFacts
  extends Pick<OsvDescriptor, 'work' | 'homepage' | 'terms' | 'notice' | 'content' | 'maxDataAgeDays' | 'releases'> {
  /** The name within a sentence, if it is not the issuer's. */
  readonly inText?: string
  readonly packages: OsvDescriptor['packages']
  /** Given only for a distribution: a registry's ecosystem follows from its purl type. */
  readonly ecosystem?: string
  readonly namesSourcePackages?: true
  /** If the form has no page, advisories are shown at osv.dev. */
  readonly advisories: AliasForm
  /** Default: `aliases`. */
  readonly cveIdsIn?: OsvDescriptor['cveIdsIn']
  /** Prefix of the names of NDJSON files. Default: the name of the database. */
  readonly files?: string
}

// Go and Bitnami publish new advisories every day, the others every week or month.
const DATABASES = {
  go: {
    inText: 'the Go vulnerability database',
    work: 'Go Vulnerability Database',
    homepage: 'https://pkg.go.dev/vuln/',
    terms: CC_BY,
    notice: '© The Go Authors. Advisories are excerpted; references link to the originals.',
    content: 'Go vulnerability database: modules and packages with fixed versions',
    maxDataAgeDays: 14,
    packages: ['golang'],
    advisories: {
      name: 'GO',
      pattern: /^GO-\d{4}-\d{4,9}$/,
      example: 'GO-2022-0535',
      issuer: 'Go',
      page: 'https://pkg.go.dev/vuln/{id}',
    },
    files: 'go-vulndb',
  },
  rustsec: {
    work: 'RustSec Advisory Database',
    homepage: 'https://rustsec.org/',
    terms: CC0,
    notice: 'Some advisories come from the GitHub Advisory Database, © GitHub, Inc., under CC BY 4.0.',
    content: 'RustSec advisories for crates',
    maxDataAgeDays: 60,
    packages: ['cargo'],
    advisories: {
      name: 'RUSTSEC',
      pattern: /^RUSTSEC-\d{4}-\d{4,9}$/,
      example: 'RUSTSEC-2022-0064',
      issuer: 'RustSec',
      page: 'https://rustsec.org/advisories/{id}.html',
    },
  },
  bitnami: {
    work: 'Bitnami Vulnerability Database',
    homepage: 'https://github.com/bitnami/vulndb',
    terms: APACHE,
    notice: '© Broadcom. Advisories are excerpted.',
    content: "Bitnami's database: versions of packaged applications",
    maxDataAgeDays: 14,
    packages: ['bitnami'],
    advisories: {
      name: 'BIT',
      pattern: /^BIT-[\w.-]{1,100}$/,
      example: 'BIT-tomcat-2025-24813',
      issuer: 'Bitnami',
      isLowerCase: true,
      isAmbiguous: true,
    },
  },
  almalinux: {
    work: 'AlmaLinux errata',
    homepage: 'https://errata.almalinux.org/',
    terms: { name: 'MIT', url: 'https://github.com/AlmaLinux/osv-database/blob/master/LICENSE' },
    notice: '© AlmaLinux OS Foundation. Errata are excerpted; references link to the originals.',
    content: 'AlmaLinux errata: fixed versions of RPM packages',
    maxDataAgeDays: 30,
    packages: ['rpm/almalinux'],
    releases: ['8', '9', '10'],
    ecosystem: 'AlmaLinux',
    advisories: {
      name: 'ALSA',
      pattern: /^AL[SBE]A-\d{4}:[A-Z0-9-]{1,90}$/,
      example: 'ALSA-2024:4312',
      issuer: 'AlmaLinux',
    },
    cveIdsIn: 'related',
  },
  pypa: {
    work: 'Python Packaging Advisory Database',
    homepage: 'https://github.com/pypa/advisory-database',
    terms: CC_BY,
    notice: '© The Python Packaging Authority. Advisories are excerpted.',
    content: 'Python Packaging Advisory Database',
    maxDataAgeDays: 30,
    packages: ['pypi'],
    advisories: {
      name: 'PYSEC',
      pattern: /^PYSEC-\d{4}-\d{1,9}$/,
      example: 'PYSEC-2021-335',
      issuer: 'PyPA',
    },
  },
} as const satisfies Readonly<Record<string, OsvFacts>>

export type OsvSourceId = `osv-${keyof typeof DATABASES}`

export const OSV_SOURCES = Object.fromEntries(
  Object.entries<OsvFacts>(DATABASES).map(([database, facts]) => [`osv-${database}`, describe(database, facts)]),
) as Readonly<Record<OsvSourceId, OsvDescriptor>>

function describe(database: string, { inText, ...facts }: OsvFacts): OsvDescriptor {
  const { packages, advisories, ecosystem = findEcosystem(packages[0]) } = facts
  return {
    ...facts,
    database,
    ecosystem,
    title: `OSV: ${advisories.issuer}`,
    providers: { [`osv:${database}`]: { label: inText ?? advisories.issuer } },
    gives: 'packages, fixed versions and references',
    origin: `archive of the ecosystem ${ecosystem} in the bucket of osv.dev`,
    intervalSeconds: 6 * HOUR,
    staleAfterSeconds: 72 * HOUR,
    advisories: { page: 'https://osv.dev/vulnerability/{id}', ...advisories },
    cveIdsIn: facts.cveIdsIn ?? 'aliases',
    files: facts.files ?? database,
  }
}

function findEcosystem(packages: PackageSet): string {
  const { ecosystem } = PACKAGE_TYPES[packages as PurlType] ?? {}
  if (ecosystem === undefined) throw new Error(`The packages ${packages} need the name of their ecosystem.`)
  return ecosystem
}
