// Advisory databases in the OSV format. Each is a separate feed: if one is unreachable, the others go on, and each has
// its own age.
import { PACKAGE_TYPES, type PurlType } from '../purl/package-types.ts'
import type { OsvDescriptor, PackageSet } from './descriptor.ts'
import { DISTRIBUTION_DATABASES } from './osv/distributions.ts'
import type { OsvFacts } from './osv/facts.ts'
import { REGISTRY_DATABASES } from './osv/registries.ts'

const HOUR = 60 * 60

const DATABASES = { ...REGISTRY_DATABASES, ...DISTRIBUTION_DATABASES }

export type OsvSourceId = `osv-${keyof typeof DATABASES}`

export const OSV_SOURCES = Object.fromEntries(
  Object.entries<OsvFacts>(DATABASES).map(([database, facts]) => [`osv-${database}`, describe(database, facts)]),
) as Readonly<Record<OsvSourceId, OsvDescriptor>>

function describe(database: string, { inText, packages, ...facts }: OsvFacts): OsvDescriptor {
  const { advisories, ecosystem = findEcosystem(packages?.[0]) } = facts
  return {
    ...facts,
    ...(packages && { packages }),
    database,
    ecosystem,
    title: `OSV: ${advisories.issuer}`,
    providers: { [`osv:${database}`]: { label: inText ?? advisories.issuer } },
    gives: packages ? 'packages, fixed versions and references' : 'ids of advisories and references',
    origin: `archive of the ecosystem ${ecosystem} in the bucket of osv.dev`,
    intervalSeconds: facts.intervalSeconds ?? 6 * HOUR,
    staleAfterSeconds: 72 * HOUR,
    advisories: { page: 'https://osv.dev/vulnerability/{id}', ...advisories },
    cveIdsIn: facts.cveIdsIn ?? 'aliases',
    files: facts.files ?? database,
  }
}

function findEcosystem(packages: PackageSet | undefined): string {
  const { ecosystem } = PACKAGE_TYPES[packages as PurlType] ?? {}
  if (ecosystem === undefined) throw new Error(`The packages ${packages} need the name of their ecosystem.`)
  return ecosystem
}
