// The databases of the feed family `osv`. Each entry becomes a feed of its own, so that a database that is out of reach
// does not stop the others and each has its own age. To add a database, add an entry here, its row of catalog.dataset in
// a migration, its terms in contract/attributions.ts, the maximum age of its data in domain/data-age.ts, and its row in
// docs/feeds.md.

export interface OsvDatabase {
  /** Short name, such as `go`: the feed is called `osv-go`, and its values name the provider `osv:go`. */
  readonly name: string
  readonly title: string
  /** Name of the ecosystem in the bucket of osv.dev, which has one archive per ecosystem. */
  readonly ecosystem: string
  /**
   * Pattern of the database's own ids. The archive of an ecosystem also contains advisories of other databases, such as
   * GitHub's, which are imported by their own feeds.
   */
  readonly id: RegExp
  /** Member that lists the CVEs. AlmaLinux writes the CVEs that an update fixes into `related`. */
  readonly cveIdsIn: 'aliases' | 'related'
  /** File names, besides `osv-<name>.zip`, under which an operator may provide the database as NDJSON. */
  readonly lines: RegExp
  /** Returns the address of the advisory's page. */
  page(id: string): string
}

const osvPage = (id: string) => `https://osv.dev/vulnerability/${encodeURIComponent(id)}`

export const OSV_DATABASES: readonly OsvDatabase[] = [
  {
    name: 'go',
    title: 'Go vulnerability database',
    ecosystem: 'Go',
    id: /^GO-\d{4}-\d+$/,
    cveIdsIn: 'aliases',
    lines: /^go-vulndb[\w.-]*\.ndjson(?:\.gz)?$/,
    page: (id) => `https://pkg.go.dev/vuln/${id}`,
  },
  {
    name: 'rustsec',
    title: 'RustSec advisories',
    ecosystem: 'crates.io',
    id: /^RUSTSEC-\d{4}-\d+$/,
    cveIdsIn: 'aliases',
    lines: /^rustsec[\w.-]*\.ndjson(?:\.gz)?$/,
    page: (id) => `https://rustsec.org/advisories/${id}.html`,
  },
  {
    name: 'bitnami',
    title: 'Bitnami vulnerability database',
    ecosystem: 'Bitnami',
    id: /^BIT-[\w.-]{1,100}$/,
    cveIdsIn: 'aliases',
    lines: /^bitnami[\w.-]*\.ndjson(?:\.gz)?$/,
    page: osvPage,
  },
  {
    name: 'almalinux',
    title: 'AlmaLinux errata',
    ecosystem: 'AlmaLinux',
    id: /^AL[SBE]A-\d{4}:[\w-]{1,100}$/,
    cveIdsIn: 'related',
    lines: /^almalinux[\w.-]*\.ndjson(?:\.gz)?$/,
    page: osvPage,
  },
  {
    name: 'pypa',
    title: 'Python Packaging Advisory Database',
    ecosystem: 'PyPI',
    id: /^PYSEC-\d{4}-\d+$/,
    cveIdsIn: 'aliases',
    lines: /^pypa[\w.-]*\.ndjson(?:\.gz)?$/,
    page: osvPage,
  },
]
