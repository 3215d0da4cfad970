// A directory with small files in the forms of their upstreams, every word of them ours.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { atEnd } from '../support/cleanup.ts'

export async function directoryWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-files-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), name.endsWith('.gz') ? gzipSync(content) : content)
  return folder
}

export function kevFile(ids: readonly string[], released = '2026-08-21T17:00:00.0000Z'): string {
  const vulnerabilities = ids.map((cveID) => ({
    cveID,
    vendorProject: 'Acme',
    product: 'Anvil',
    vulnerabilityName: 'Acme Anvil drops by itself',
    dateAdded: '2026-08-01',
    shortDescription: 'An anvil may fall without being asked to.',
    requiredAction: 'Step aside.',
    dueDate: '2026-08-22',
    knownRansomwareCampaignUse: 'Unknown',
    notes: '',
    cwes: [],
  }))
  return JSON.stringify({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: released.slice(0, 10).replaceAll('-', '.'),
    dateReleased: released,
    count: ids.length,
    vulnerabilities,
  })
}

export function epssFile(scores: Readonly<Record<string, number>>, date = '2026-08-21'): string {
  const rows = Object.entries(scores).map(([id, score]) => `${id},${score.toFixed(5)},0.50000`)
  return [`#model_version:v2026.06.15,score_date:${date}T12:00:00Z`, 'cve,epss,percentile', ...rows, ''].join('\n')
}
