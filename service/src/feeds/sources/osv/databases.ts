// The databases of the feed family `osv`. Each entry becomes a feed of its own, so that an unreachable database does not
// stop the others and each has its own age. To add a database, add an entry here, its row of catalog.dataset in a
// migration, its terms in contract/attributions.ts, the maximum age of its data in domain/source/data-age.ts, its row in
// docs/feeds.md, and the form of its ids in catalog/reports/advisories.ts.

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
  readonly idPattern: RegExp
  /** Member that lists the CVEs. AlmaLinux writes the CVEs that an update fixes into `related`. */
  readonly cveIdsIn: 'aliases' | 'related'
  /** Names of NDJSON files in an operator's directory, which may replace the archive `osv-<name>.zip`. */
  readonly ndjsonFiles: RegExp
  /** Returns the address of the advisory's page. */
  buildPageUrl(id: string): string
}

const buildOsvPageUrl = (id: string) => `https://osv.dev/vulnerability/${encodeURIComponent(id)}`

export const OSV_DATABASES: readonly OsvDatabase[] = [
  {
    name: 'go',
    title: 'Go vulnerability database',
    ecosystem: 'Go',
    idPattern: /^GO-\d{4}-\d+$/,
    cveIdsIn: 'aliases',
    ndjsonFiles: /^go-vulndb[\w.-]*\.ndjson(?:\.gz)?$/,
    buildPageUrl: (id) => `https://pkg.go.dev/vuln/${id}`,
  },
  {
    name: 'rustsec',
    title: 'RustSec advisories',
    ecosystem: 'crates.io',
    idPattern: /^RUSTSEC-\d{4}-\d+$/,
    cveIdsIn: 'aliases',
    ndjsonFiles: /^rustsec[\w.-]*\.ndjson(?:\.gz)?$/,
    buildPageUrl: (id) => `https://rustsec.org/advisories/${id}.html`,
  },
  {
    name: 'bitnami',
    title: 'Bitnami vulnerability database',
    ecosystem: 'Bitnami',
    idPattern: /^BIT-[\w.-]{1,100}$/,
    cveIdsIn: 'aliases',
    ndjsonFiles: /^bitnami[\w.-]*\.ndjson(?:\.gz)?$/,
    buildPageUrl: buildOsvPageUrl,
  },
  {
    name: 'almalinux',
    title: 'AlmaLinux errata',
    ecosystem: 'AlmaLinux',
    idPattern: /^AL[SBE]A-\d{4}:[\w-]{1,100}$/,
    cveIdsIn: 'related',
    ndjsonFiles: /^almalinux[\w.-]*\.ndjson(?:\.gz)?$/,
    buildPageUrl: buildOsvPageUrl,
  },
  {
    name: 'pypa',
    title: 'Python Packaging Advisory Database',
    ecosystem: 'PyPI',
    idPattern: /^PYSEC-\d{4}-\d+$/,
    cveIdsIn: 'aliases',
    ndjsonFiles: /^pypa[\w.-]*\.ndjson(?:\.gz)?$/,
    buildPageUrl: buildOsvPageUrl,
  },
]
