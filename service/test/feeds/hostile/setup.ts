// Test setup with five feeds that have imported valid data. Tests then let the upstreams serve invalid data.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { RunReport } from '../../../src/feeds/engine/run.ts'
import { acscFeed } from '../../../src/feeds/sources/acsc/feed.ts'
import { cveListFeed } from '../../../src/feeds/sources/cve-list/feed.ts'
import { epssFeed } from '../../../src/feeds/sources/epss/feed.ts'
import { kevFeed } from '../../../src/feeds/sources/kev/feed.ts'
import { nvdFeed } from '../../../src/feeds/sources/nvd/feed.ts'
import { createTestDownload } from '../../support/network/downloads.ts'
import { type Content, type Handler, startUpstream } from '../../support/network/upstream.ts'
import { createFeedHarness, type FeedHarness } from '../feed-harness.ts'
import { rss } from '../sources/acsc/documents.ts'
import { buildCveRecord, buildFullList } from '../sources/cve-list/fixtures.ts'
import { nvdContainer, nvdMeta, nvdRecord } from '../sources/nvd/fixtures.ts'
import { buildEpssFile, buildKevFile } from '../temporary-files.ts'

export const PATHS = {
  kev: '/kev.json',
  epss: '/epss/epss_scores-current.csv.gz',
  nvd: '/nvd/nvdcve-2.0-modified.json.gz',
  nvdMeta: '/nvd/nvdcve-2.0-modified.meta',
  acsc: '/rss/alerts',
  cveReleases: '/releases',
} as const

export type FeedName = 'kev' | 'epss' | 'nvd' | 'acsc' | 'cve'

export const ids = (count: number) => Array.from({ length: count }, (_, index) => `CVE-2026-${10_000 + index}`)
export const buildScores = (count: number) =>
  Object.fromEntries(ids(count).map((id, index) => [id, (index % 90) / 1000]))
export const nvdRecords = (count: number, changes: Record<string, unknown> = {}) =>
  ids(count).map((id) => nvdRecord(id, changes))

export interface HostileSetup {
  readonly harness: FeedHarness
  readonly url: string
  serve(path: string, how: Content | Handler): void
  /** Serves NVD's file of modified records with a matching `.meta` file. */
  serveNvd(json: string | Buffer, meta?: Record<string, string | number>): void
  /** Serves a full archive of the CVE List that is dated on the given day of August 2026. */
  serveCveList(zip: Buffer, day: number): void
  run(feed: FeedName): Promise<RunReport>
  /**
   * Returns a fingerprint of all stored rows and feed cursors. The cursor of ACSC is left out: it may advance in a
   * failed run, because ACSC has several RSS feeds and one of them may work.
   */
  contents(): Promise<unknown>
}

const FINGERPRINT = `
  select (select md5(string_agg(source || cve_id || encode(content_hash, 'hex') || modified, ',' order by source, cve_id)) from source.source_record) as records,
         (select md5(string_agg(kev_entry::text, ',' order by cve_id)) from source.kev_entry) as kev,
         (select md5(string_agg(epss_score::text, ',' order by cve_id)) from source.epss_score) as epss,
         (select md5(string_agg(acsc_notice::text, ',' order by id)) from source.acsc_notice) as acsc,
         (select count(*) from source.publication_queue) as queued,
         (select jsonb_object_agg(name, cursor) from source.feed where name <> 'acsc') as cursors`

/** Starts a test server and a database, and imports valid data of every feed. */
export async function createHostileSetup(): Promise<HostileSetup> {
  const [harness, upstream] = [await createFeedHarness(), await startUpstream()]
  const { url } = upstream
  const feeds = createFeeds(url)
  const setup: HostileSetup = {
    harness,
    url,
    serve: upstream.serve,
    serveNvd: (json, meta = {}) => {
      const file = gzipSync(json)
      const sha256 = createHash('sha256').update(json).digest('hex').toUpperCase()
      upstream.serve(PATHS.nvd, file)
      upstream.serve(
        PATHS.nvdMeta,
        nvdMeta('', { size: Buffer.byteLength(json), gzSize: file.length, sha256, ...meta }),
      )
    },
    serveCveList: (zip, day) => {
      const name = `2026-08-${day}_all_CVEs_at_midnight.zip`
      upstream.serve(`/files/day/${name}`, zip)
      const asset = { name, state: 'uploaded', size: zip.length, browser_download_url: `${url}/files/day/${name}` }
      upstream.serve(PATHS.cveReleases, JSON.stringify([{ tag_name: `cve_2026-08-${day}_0000Z`, assets: [asset] }]))
    },
    run: (feed) =>
      harness.run(feeds[feed], {
        openDownload: (signal) => createTestDownload([upstream], { signal, timeouts: SHORT_TIMEOUTS }),
      }),
    contents: async () => (await harness.selectRows(FINGERPRINT))[0],
  }
  harness.clock.advance({ hours: 23 })
  await importGoodData(setup)
  return setup
}

/** The idle timeout is ten times the pause between bytes of the slowest upstream, so that a busy machine does not exceed it. */
const SHORT_TIMEOUTS = { idleMs: 1000, speedWindowMs: 1300 }

function createFeeds(url: string) {
  return {
    kev: kevFeed({ url: `${url}${PATHS.kev}` }),
    epss: epssFeed({ baseUrl: `${url}/epss/` }),
    nvd: nvdFeed({ route: 'feeds', feedsUrl: `${url}/nvd/`, apiUrl: '', apiKey: null }),
    acsc: acscFeed({
      alertsUrl: `${url}${PATHS.acsc}`,
      advisoriesUrl: `${url}/rss/advisories`,
      listingUrl: `${url}/list`,
      historyPages: 0,
      pagesPerRun: 0,
      pauseMs: 0,
    }),
    cve: cveListFeed({
      releasesUrl: `${url}${PATHS.cveReleases}`,
      filesUrl: `${url}/files/`,
      redirectHosts: [],
      token: null,
    }),
  } satisfies Record<FeedName, unknown>
}

async function importGoodData(setup: HostileSetup): Promise<void> {
  for (let year = 2002; year <= 2026; year += 1) {
    const json = nvdContainer([nvdRecord(`CVE-${year}-0001`)])
    setup.serve(`/nvd/nvdcve-2.0-${year}.json.gz`, gzipSync(json))
    setup.serve(`/nvd/nvdcve-2.0-${year}.meta`, nvdMeta(json))
  }
  setup.serveNvd(nvdContainer(nvdRecords(200)))
  setup.serve(PATHS.kev, buildKevFile(ids(100)))
  setup.serve(PATHS.epss, gzipSync(buildEpssFile(buildScores(200))))
  setup.serve(PATHS.acsc, rss([{ slug: 'acme-portal', description: 'About CVE-2026-10001.' }]))
  setup.serve('/rss/advisories', rss([{ slug: 'acme-mail' }]))
  setup.serveCveList(buildFullList(...ids(50).map((id) => buildCveRecord(id))), 20)
  for (const feed of ['nvd', 'kev', 'epss', 'acsc', 'cve'] as const)
    expect(await setup.run(feed), feed).toMatchObject({ outcome: 'succeeded', error: null })
}
