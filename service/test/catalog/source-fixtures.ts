// Source records in the upstream formats. All texts are invented.

const NVD = 'nvd@nist.gov'

export function nvdRecord(id: string, changes: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    sourceIdentifier: 'security@router.example',
    published: '2026-08-01T10:15:20.123',
    lastModified: '2026-08-20T09:30:00.907',
    vulnStatus: 'Analyzed',
    descriptions: [{ lang: 'en', value: 'Example Router restarts when it receives a malformed packet.' }],
    metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 7.5)] },
    weaknesses: [{ source: NVD, type: 'Primary', description: [{ lang: 'en', value: 'CWE-20' }] }],
    configurations: [configuration([{ criteria: cpe('router'), versionEndExcluding: '2.4' }])],
    references: [{ url: 'https://router.example/advisories/1', source: NVD, tags: ['Vendor Advisory'] }],
    ...changes,
  }
}

export function nvdRating(vectorString: string, baseScore: number) {
  return { source: NVD, type: 'Primary', cvssData: { version: '3.1', vectorString, baseScore } }
}

export function cpe(product: string): string {
  return `cpe:2.3:a:examplesoft:${product}:*:*:*:*:*:*:*:*`
}

export function configuration(matches: readonly object[]): object {
  const cpeMatch = matches.map((match, index) => ({ vulnerable: true, matchCriteriaId: `M${index}`, ...match }))
  return { nodes: [{ operator: 'OR', negate: false, cpeMatch }] }
}

export function cveListRecord(cveId: string, cna: Readonly<Record<string, unknown>> = {}, state = 'PUBLISHED'): object {
  return {
    dataType: 'CVE_RECORD',
    dataVersion: '5.2',
    cveMetadata: {
      cveId,
      state,
      assignerShortName: 'routers',
      datePublished: '2026-08-02T08:00:00.000Z',
      dateUpdated: '2026-08-20T10:00:00.123Z',
    },
    containers: {
      cna: {
        providerMetadata: { orgId: '00000000-0000-4000-9000-000000000000', shortName: 'routers' },
        descriptions: [{ lang: 'en', value: 'A flaw in a switch.' }],
        references: [{ url: 'https://routers.example/1', tags: ['vendor-advisory'] }],
        ...cna,
      },
    },
  }
}
