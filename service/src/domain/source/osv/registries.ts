// Databases about the packages of registries.
import { APACHE, CC_BY, CC0 } from '../terms.ts'
import type { OsvFacts } from './facts.ts'

// Go and Bitnami publish new advisories every day, the others every week or month.
export const REGISTRY_DATABASES = {
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
  eef: {
    inText: 'the Erlang Ecosystem Foundation',
    work: 'Advisories of the Erlang Ecosystem Foundation CNA',
    homepage: 'https://cna.erlef.org/',
    terms: { name: 'CC BY 4.0', url: 'https://cna.erlef.org/data-licensing/' },
    notice: '© Erlang Ecosystem Foundation. Advisories are excerpted; references link to the originals.',
    content: 'advisories of the Erlang Ecosystem Foundation about Hex packages',
    maxDataAgeDays: 60,
    packages: ['hex'],
    // The foundation writes only about CVEs that it assigned itself, since 2025.
    supplements: 'ghsa',
    advisories: {
      name: 'EEF-CVE',
      pattern: /^EEF-CVE-\d{4}-\d{4,9}$/,
      example: 'EEF-CVE-2026-56811',
      issuer: 'Erlang Ecosystem Foundation',
    },
  },
} as const satisfies Readonly<Record<string, OsvFacts>>
