// A bundle for tests: two feeds of a played upstream, downloaded with the command.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildKevFile } from '../feeds/temporary-files.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { behaviours, startUpstream } from '../support/network/upstream.ts'
import { runCommand } from '../support/run-command.ts'

export const KEV_FILE = 'kev/known_exploited_vulnerabilities.json'
export const EXPLOITS_FILE = 'exploitdb/files_exploits.csv'
const EXPLOITS = 'id,description,date_published,verified,codes\n1,Acme Portal,2024-05-06,1,CVE-2024-0001\n'

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-bundle-'))
  cleanUpAfterTests(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function createKeys() {
  const folder = await createFolder()
  const { code, stdout } = await runCommand(['feeds', 'key', '--to', folder], {})
  if (code !== 0) throw new Error('no keys were created')
  return {
    fingerprint: stdout.trim(),
    privateKey: join(folder, 'bundle-private.pem'),
    publicKey: join(folder, 'bundle-public.pem'),
  }
}

export async function startBundleUpstream() {
  const upstream = await startUpstream({
    '/kev.json': behaviours.validates('"kev"', buildKevFile(['CVE-2024-0001', 'CVE-2024-0002'])),
    '/exploits.csv': EXPLOITS,
  })
  const environment = {
    NODE_ENV: 'test',
    FEED_KEV_URL: `${upstream.url}/kev.json`,
    FEED_EXPLOITDB_URL: `${upstream.url}/exploits.csv`,
    FEEDS_PRIVATE_HOSTS: upstream.host,
  }
  const download = (to: string, args: readonly string[] = [], settings: Readonly<Record<string, string>> = {}) =>
    runCommand(['feeds', 'download', 'kev', 'exploitdb', '--to', to, ...args], { ...environment, ...settings })
  return { upstream, environment, download }
}

export async function copyFolder(from: string): Promise<string> {
  const to = await createFolder()
  await cp(from, to, { recursive: true })
  return to
}

export async function readManifest(folder: string) {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
}

/** Changes one bit of a file and keeps its size. */
export async function flipByte(folder: string, file: string): Promise<void> {
  const bytes = await readFile(join(folder, file))
  bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1
  await writeFile(join(folder, file), bytes)
}
