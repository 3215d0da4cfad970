// Databases of advisories about packages that are kept as files in a repository on GitHub. Each is a separate feed.
import type { PackageSet, RepositoryDescriptor } from './descriptor.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR

/** Only what differs between the databases. */
interface RepositoryFacts
  extends Pick<
    RepositoryDescriptor,
    | 'work'
    | 'terms'
    | 'notice'
    | 'excerpt'
    | 'content'
    | 'maxDataAgeDays'
    | 'repository'
    | 'branch'
    | 'path'
    | 'advisories'
    | 'reports'
    | 'hasLargeArchive'
  > {
  readonly label: string
  readonly packages: readonly [PackageSet, ...PackageSet[]]
}

// All add to GitHub's advisories, which cover the same registries as a whole.
const DATABASES = {
  rubysec: {
    label: 'RubySec',
    work: 'Ruby Advisory Database (RubySec)',
    repository: 'rubysec/ruby-advisory-db',
    branch: 'master',
    path: /^gems\/([^/]{1,100}\/[^/]{1,100})\.yml$/,
    // Contributors release what they write, but texts may be copied from OSVDB, which had a licence of its own.
    terms: {
      name: 'Public domain, except for texts of OSVDB',
      url: 'https://github.com/rubysec/ruby-advisory-db/blob/master/LICENSE.txt',
    },
    notice: 'Source: Ruby Advisory Database. Only facts are stored, and no text of the database.',
    excerpt: 'We store ids, gems, versions, dates and links, but no titles and descriptions',
    content: 'RubySec: advisories about Ruby gems, with patched and unaffected versions',
    maxDataAgeDays: 60,
    packages: ['gem'],
  },
  friendsofphp: {
    label: 'FriendsOfPHP',
    work: 'PHP Security Advisories Database (FriendsOfPHP)',
    repository: 'FriendsOfPHP/security-advisories',
    branch: 'master',
    path: /^((?!\.)[^/]{1,100}\/[^/]{1,100}\/[^/]{1,100})\.yaml$/,
    terms: { name: 'Unlicense', url: 'https://github.com/FriendsOfPHP/security-advisories/blob/master/LICENSE' },
    notice: 'Source: PHP Security Advisories Database.',
    content: 'FriendsOfPHP: advisories about Composer packages, with the affected versions of each branch',
    maxDataAgeDays: 90,
    packages: ['composer'],
  },
  malicious: {
    label: 'OpenSSF Malicious Packages',
    work: 'OpenSSF Malicious Packages',
    repository: 'ossf/malicious-packages',
    branch: 'main',
    // Reports whose ids begin with MAL-0000 have no id yet. Withdrawn ones are moved to another folder.
    path: /^osv\/malicious\/[^\n]{1,1000}\/(MAL-[1-9]\d{3}-\d{1,7})\.json$/,
    hasLargeArchive: true,
    reports: 'malicious',
    terms: { name: 'Apache License 2.0', url: 'https://github.com/ossf/malicious-packages/blob/main/LICENSE' },
    notice: 'Source: OpenSSF Malicious Packages, Apache License 2.0. Reports are excerpted.',
    excerpt: 'We store ids, titles, packages, versions, dates and links, but no descriptions',
    content: 'OpenSSF: reports of malicious packages and of malicious versions of packages',
    maxDataAgeDays: 7,
    packages: ['npm', 'pypi', 'gem', 'cargo', 'golang', 'nuget', 'maven', 'composer'],
    advisories: {
      name: 'MAL',
      pattern: /^MAL-[1-9]\d{3}-\d{1,7}$/,
      example: 'MAL-2024-1296',
      issuer: 'OpenSSF',
      page: 'https://osv.dev/vulnerability/{id}',
    },
  },
} as const satisfies Readonly<Record<string, RepositoryFacts>>

export type RepositorySourceId = keyof typeof DATABASES

export const REPOSITORY_SOURCES = Object.fromEntries(
  Object.entries<RepositoryFacts>(DATABASES).map(([id, facts]) => [id, describe(id, facts)]),
) as Readonly<Record<RepositorySourceId, RepositoryDescriptor>>

function describe(id: string, { label, ...facts }: RepositoryFacts): RepositoryDescriptor {
  return {
    ...facts,
    title: label,
    providers: { [id]: { label } },
    homepage: `https://github.com/${facts.repository}`,
    gives: 'packages, fixed versions and references',
    origin: `archive of \`github.com/${facts.repository}\``,
    intervalSeconds: 12 * HOUR,
    staleAfterSeconds: 7 * DAY,
    supplements: 'ghsa',
  }
}
