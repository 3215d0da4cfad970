// A download client for tests: the client may reach the given upstream servers, records its pauses instead of waiting,
// and stores files in a temporary folder.
import { mkdtempSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DownloadSettings, openDownload } from '../../../src/feeds/download/open-download.ts'
import type { Download, DownloadRequest, DownloadResult } from '../../../src/feeds/download.ts'
import { cleanUpAfterTests } from '../cleanup.ts'
import { createTestClock } from '../clock.ts'
import type { Upstream } from './upstream.ts'

export interface TestDownload extends Download {
  /** Downloads a path from the first of the given upstream servers. */
  get(path: string, request?: Partial<DownloadRequest>): Promise<DownloadResult>
  /** Pauses between download attempts, in milliseconds. */
  readonly pauses: readonly number[]
  /** Returns the content of the file that `get` stored. */
  content(): Promise<string>
  /** Folder in which `get` stores its file. */
  readonly folder: string
  /** Returns the names of all files in the download folder. */
  files(): Promise<readonly string[]>
}

export function createTestDownload(
  upstreams: readonly Pick<Upstream, 'host' | 'url'>[],
  settings: Partial<DownloadSettings> = {},
): TestDownload {
  const folder = mkdtempSync(join(tmpdir(), 'vis-download-'))
  cleanUpAfterTests(() => rm(folder, { recursive: true, force: true }))
  const hosts = upstreams.map(({ host }) => host)
  const pauses: number[] = []
  const download = openDownload({
    userAgent: 'vis-tests/1 (+https://example.org/contact)',
    allowedHosts: hosts,
    privateHosts: hosts,
    now: createTestClock().now,
    sleep: async (ms) => pauses.push(ms),
    random: () => 0,
    ...settings,
  })
  const path = join(folder, 'data')
  return {
    ...download,
    get: (urlPath, request) =>
      download.file({ url: `${upstreams[0]?.url}${urlPath}`, maxBytes: 1_000_000, ...request }, path),
    pauses,
    folder,
    content: () => readFile(path, 'utf8'),
    files: () => readdir(folder),
  }
}
