// Security databases of distributions that use apk, in the form that Alpine gave them (`secdb`): the versions of each
// source package and the vulnerabilities that each version fixed. They name no vulnerability without a fix.
import type { SecdbDescriptor } from './descriptor.ts'

const HOUR = 60 * 60

/** Only what differs between the databases. */
type SecdbFacts = Pick<
  SecdbDescriptor,
  'work' | 'homepage' | 'terms' | 'notice' | 'content' | 'releases' | 'base' | 'documents' | 'page'
> & { readonly label: string; readonly namespace: string }

/** Branches that are still published, the newest last. */
const ALPINE_BRANCHES = [...Array.from({ length: 15 }, (_, index) => `v3.${index + 10}`), 'edge']

const DATABASES = {
  alpine: {
    label: 'Alpine Linux',
    namespace: 'apk/alpine',
    work: 'Alpine security database',
    homepage: 'https://security.alpinelinux.org/',
    terms: { name: 'CC BY-SA 4.0', url: 'https://secdb.alpinelinux.org/license.txt' },
    notice: 'Source: Alpine Linux, under CC BY-SA 4.0.',
    content: 'Alpine Linux: versions of source packages that fix vulnerabilities',
    // Branches with support: Alpine no longer looks for vulnerabilities in the packages of others.
    releases: ['3.22', '3.23', '3.24', 'edge'],
    base: 'https://secdb.alpinelinux.org',
    documents: ALPINE_BRANCHES.flatMap((branch) => ['main', 'community'].map((each) => `${branch}/${each}.json`)),
    page: 'https://security.alpinelinux.org/vuln/{id}',
  },
  wolfi: {
    label: 'Wolfi',
    namespace: 'apk/wolfi',
    work: 'Wolfi security database',
    homepage: 'https://github.com/wolfi-dev/advisories',
    terms: {
      name: 'Free for any purpose, with attribution',
      url: 'https://github.com/wolfi-dev/os/blob/main/SECURITY.md',
    },
    notice: 'Source: the Wolfi project.',
    content: 'Wolfi: versions of source packages that fix vulnerabilities',
    base: 'https://packages.wolfi.dev/os',
    documents: ['security.json'],
  },
  chainguard: {
    label: 'Chainguard',
    namespace: 'apk/chainguard',
    work: 'Chainguard security database',
    homepage: 'https://images.chainguard.dev/security',
    terms: { name: 'No licence stated', url: 'https://github.com/wolfi-dev/wolfictl/issues/680' },
    notice: 'Source: Chainguard.',
    content: 'Chainguard: versions of source packages that fix vulnerabilities',
    base: 'https://packages.cgr.dev/chainguard',
    documents: ['security.json'],
  },
} as const satisfies Readonly<Record<string, SecdbFacts>>

export type SecdbSourceId = keyof typeof DATABASES

// The casts are safe: the keys are those of DATABASES.
export const SECDB_SOURCE_IDS = Object.keys(DATABASES) as readonly SecdbSourceId[]

export const SECDB_SOURCES = Object.fromEntries(
  SECDB_SOURCE_IDS.map((id) => [id, describe(id, DATABASES[id])]),
) as Readonly<Record<SecdbSourceId, SecdbDescriptor>>

export function isSecdbSource(id: string): id is SecdbSourceId {
  return Object.hasOwn(SECDB_SOURCES, id)
}

function describe(id: string, { label, namespace, ...facts }: SecdbFacts): SecdbDescriptor {
  return {
    ...facts,
    title: label,
    providers: { [id]: { label } },
    gives: 'packages and fixed versions',
    origin: `\`${new URL(facts.base).host}\``,
    intervalSeconds: 6 * HOUR,
    staleAfterSeconds: 72 * HOUR,
    // The databases state no time, so their data is as old as its delivery.
    maxDataAgeDays: 7,
    packages: [namespace as `apk/${string}`],
    ecosystem: label.split(' ', 1)[0] ?? label,
    namesSourcePackages: true,
  }
}
