// CSAF documents of a vendor that does not exist.

export interface CsafOptions {
  readonly released?: string
  readonly version?: string
  readonly title?: string
  readonly label?: string
  readonly status?: string
  readonly category?: string
  readonly tree?: Readonly<Record<string, unknown>>
  readonly vulnerabilities?: readonly Readonly<Record<string, unknown>>[]
}

/** Product P1 is version 2.1 of Acme Router. */
export const ACME_TREE = {
  branches: [
    {
      category: 'vendor',
      name: 'Acme',
      branches: [
        {
          category: 'product_name',
          name: 'Acme Router',
          branches: [
            {
              category: 'product_version',
              name: '2.1',
              product: { name: 'Acme Router 2.1', product_id: 'P1' },
            },
            {
              category: 'product_version_range',
              name: '< 2.4',
              product: { name: 'Acme Router before 2.4', product_id: 'P2' },
            },
          ],
        },
      ],
    },
  ],
}

const ACME_VULNERABILITY = {
  cve: 'CVE-2024-1000',
  product_status: { known_affected: ['P1'] },
}

export function csafDocument(id: string, options: CsafOptions = {}) {
  const { released = '2024-05-06T07:08:09Z', version = '1', title = 'Overflow in Acme Router' } = options
  return {
    document: {
      category: options.category ?? 'csaf_security_advisory',
      csaf_version: '2.0',
      publisher: { category: 'vendor', name: 'Acme', namespace: 'https://acme.example' },
      title,
      ...(options.label !== undefined && { distribution: { tlp: { label: options.label } } }),
      references: [
        { category: 'self', summary: 'JSON', url: `https://acme.example/csaf/${id.toLowerCase()}.json` },
        { category: 'self', summary: 'Page', url: `https://acme.example/advisories/${id}` },
      ],
      tracking: {
        id,
        status: options.status ?? 'final',
        version,
        initial_release_date: '2024-05-01T00:00:00Z',
        current_release_date: released,
        revision_history: [{ date: released, number: version, summary: 'First version' }],
      },
    },
    product_tree: options.tree ?? ACME_TREE,
    vulnerabilities: options.vulnerabilities ?? [ACME_VULNERABILITY],
  }
}
