// A download that knows the given upstreams, notes its pauses instead of waiting, and keeps its files to itself.
import { mkdtempSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DownloadSettings, openDownload } from '../../../src/feeds/download/open-download.ts'
import type { Download, Downloaded, DownloadRequest } from '../../../src/feeds/download.ts'
import { atEnd } from '../cleanup.ts'
import { testClock } from '../clock.ts'
import type { Upstream } from './upstream.ts'

export interface TestDownload extends Download {
  /** Of the first upstream. */
  get(path: string, request?: Partial<DownloadRequest>): Promise<Downloaded>
  /** What it would have waited for, in ms. */
  readonly pauses: readonly number[]
  /** What `get` stored. */
  content(): Promise<string>
  /** Where it stores. */
  readonly folder: string
  /** The names of all files there are. */
  files(): Promise<readonly string[]>
}

export function testDownload(
  upstreams: readonly Pick<Upstream, 'host' | 'url'>[],
  settings: Partial<DownloadSettings> = {},
): TestDownload {
  const folder = mkdtempSync(join(tmpdir(), 'vis-download-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const hosts = upstreams.map(({ host }) => host)
  const pauses: number[] = []
  const download = openDownload({
    userAgent: 'vis-tests/1 (+https://example.org/contact)',
    allowedHosts: hosts,
    privateHosts: hosts,
    now: testClock().now,
    sleep: async (ms) => pauses.push(ms),
    random: () => 0,
    ...settings,
  })
  const path = join(folder, 'data')
  return {
    ...download,
    get: (place, request) =>
      download.file({ url: `${upstreams[0]?.url}${place}`, maxBytes: 1_000_000, ...request }, path),
    pauses,
    folder,
    content: () => readFile(path, 'utf8'),
    files: () => readdir(folder),
  }
}
