import type { Cve } from 'vis-sdk'

/** A record of which no source says more than that it exists. */
export const EMPTY_CVE: Cve = {
  cve_id: 'CVE-2026-12345',
  source_tag: 'cve',
  published: null,
  modified: '2026-08-20T00:00:00Z',
  description: null,
  severity: null,
  status: 'Received',
  cvss: { v3_1: null },
  cpe: [],
  references: [],
}
