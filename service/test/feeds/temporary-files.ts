// Writes temporary files and directories for feed tests, which are deleted after the last test of a test file, and
// builds small files in the formats of the upstreams.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { cleanUpAfterTests } from '../support/cleanup.ts'

/** File contents by path within the directory. */
export type Files = Readonly<Record<string, string | Buffer>>

/** Writes the given files to a new directory and returns its path. Texts in files named .gz are compressed. */
export async function writeTemporaryDirectory(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-files-'))
  cleanUpAfterTests(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, name.endsWith('.gz') && typeof content === 'string' ? gzipSync(content) : content)
  }
  return folder
}

/** Writes one file to a new directory and returns the path of the file. */
export async function writeTemporaryFile(name: string, content: string | Buffer): Promise<string> {
  return join(await writeTemporaryDirectory({ [name]: content }), name)
}

export function buildKevFile(ids: readonly string[], released = '2026-08-21T17:00:00.0000Z'): string {
  const vulnerabilities = ids.map((cveID) => ({
    cveID,
    vendorProject: 'Acme',
    product: 'Anvil',
    vulnerabilityName: 'Acme Anvil Remote Code Execution Vulnerability',
    dateAdded: '2026-08-01',
    shortDescription: 'Acme Anvil contains a remote code execution vulnerability.',
    requiredAction: 'Apply updates per vendor instructions.',
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

export function buildEpssFile(scores: Readonly<Record<string, number>>, date = '2026-08-21'): string {
  const rows = Object.entries(scores).map(([id, score]) => `${id},${score.toFixed(5)},0.50000`)
  return [`#model_version:v2026.06.15,score_date:${date}T12:00:00Z`, 'cve,epss,percentile', ...rows, ''].join('\n')
}
