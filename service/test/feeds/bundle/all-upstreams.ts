// One local server that plays the upstreams of all feeds, and the settings that lead the feeds to it.
import { gzipSync } from 'node:zlib'
import { CSAF_SOURCES } from '../../../src/domain/source/csaf-sources.ts'
import { SECDB_SOURCE_IDS, SECDB_SOURCES } from '../../../src/domain/source/secdb-sources.ts'
import { startUpstream, type Upstream } from '../../support/network/upstream.ts'
import { FEED_TABLE } from '../contract/feed-table.ts'
import { LIST, listPage, noticePage, rss } from '../sources/acsc/documents.ts'
import { playProvider, published } from '../sources/csaf/provider/played-provider.ts'
import { buildCveRecord, buildDeltaList, buildFullList } from '../sources/cve-list/fixtures.ts'
import { buildFile as buildEpssFile, buildLines } from '../sources/epss/fixtures.ts'
import { advisories, asArchive } from '../sources/ghsa/fixtures.ts'
import { msrcDocument, msrcUpdates, vulnerabilities } from '../sources/msrc/fixtures.ts'
import { nvdContainer, nvdMeta, nvdRecord } from '../sources/nvd/fixtures.ts'
import { historyPage, playedChange } from '../sources/nvd/history-upstream.ts'
import { buildArchive, buildList, manyVex, toPath, vex } from '../sources/redhat/fixtures.ts'
import { secdb } from '../sources/secdb/fixtures.ts'

export const NOW = '2026-08-22T20:00:00Z'

const RECORDS = Array.from({ length: 60 }, (_, index) => ({ index, isValid: true }))
const YEARS = Array.from({ length: 25 }, (_, index) => 2002 + index)
const EPSS_DAYS = ['2026-08-20', '2026-08-19', '2026-08-18']
const FULL_LIST = '2026-08-22_all_CVEs_at_midnight.zip'
const DELTA = '2026-08-22_delta_CVEs_at_1900Z.zip'

type Settings = Record<string, string>
type Play = (upstream: Upstream) => Settings | Promise<Settings>

const playSingleFiles: Play = (upstream) =>
  Object.fromEntries(
    Object.entries(FEED_TABLE).flatMap(([name, { write, download }]) => {
      if (!download) return []
      const content = (download.write ?? write)(RECORDS)
      const path = name === 'epss' ? '/single/epss/epss_scores-current.csv.gz' : `/single/${name}`
      upstream.serve(path, name === 'epss' ? gzipSync(content) : content)
      return [[download.setting, `${upstream.url}${name === 'epss' ? '/single/epss/' : path}`]]
    }),
  )

const playNvd: Play = ({ url, serve }) => {
  const serveFile = (key: string, ids: readonly string[]) => {
    const json = nvdContainer(ids.map((id) => nvdRecord(id)))
    serve(`/nvd/nvdcve-2.0-${key}.json.gz`, gzipSync(json))
    serve(`/nvd/nvdcve-2.0-${key}.meta`, nvdMeta(json))
  }
  for (const year of YEARS) serveFile(String(year), [`CVE-${year}-0001`, `CVE-${year}-0002`])
  serveFile('modified', ['CVE-2026-0002'])
  return { FEED_NVD_FEEDS_URL: `${url}/nvd/` }
}

const playCveList: Play = ({ url, serve }) => {
  const archives: Readonly<Record<string, Buffer>> = {
    [FULL_LIST]: buildFullList(buildCveRecord('CVE-2024-0001'), buildCveRecord('CVE-2024-0002')),
    [DELTA]: buildDeltaList(buildCveRecord('CVE-2024-0003')),
  }
  const assets = Object.entries(archives).map(([name, content]) => {
    serve(`/cve/files/${name}`, content)
    return { name, size: content.length, browser_download_url: `${url}/cve/files/${name}` }
  })
  serve('/cve/releases', JSON.stringify([{ assets }]))
  return { FEED_CVE_RELEASES_URL: `${url}/cve/releases`, FEED_CVE_FILES_URL: `${url}/cve/files/` }
}

const playEpssHistory: Play = ({ url, serve }) => {
  for (const day of EPSS_DAYS)
    serve(
      `/epss-history/epss_scores-${day}.csv.gz`,
      gzipSync(buildEpssFile(buildLines(20), { scored: `${day}T12:00:00Z` })),
    )
  return {
    FEED_EPSS_HISTORY_URL: `${url}/epss-history/`,
    FEED_EPSS_HISTORY_DAYS_PER_RUN: String(EPSS_DAYS.length),
    FEED_EPSS_HISTORY_PAUSE_MS: '0',
  }
}

const playAcsc: Play = ({ url, serve }) => {
  const [alerts, advisories, older] = [['a-1', 'a-2'], ['b-1'], ['c-1', 'c-2']]
  serve(
    '/rss/alerts',
    rss(
      alerts.map((slug) => ({ slug })),
      url,
    ),
  )
  serve(
    '/rss/advisories',
    rss(
      advisories.map((slug) => ({ slug })),
      url,
    ),
  )
  serve(LIST, listPage(older))
  for (const slug of [...alerts, ...advisories, ...older])
    serve(`${LIST}/${slug}`, noticePage({ slug, body: '<p>CVE-2024-0001</p>' }, url))
  return {
    FEED_ACSC_ALERTS_URL: `${url}/rss/alerts`,
    FEED_ACSC_ADVISORIES_URL: `${url}/rss/advisories`,
    FEED_ACSC_LISTING_URL: `${url}${LIST}`,
    FEED_ACSC_PAUSE_MS: '0',
  }
}

const playGhsa: Play = ({ url, serve }) => {
  serve('/ghsa/archive', asArchive(advisories(20)))
  return { FEED_GHSA_URL: `${url}/ghsa/archive` }
}

const playRedHat: Play = ({ url, serve }) => {
  const changed = vex('CVE-2024-10003', { at: '2026-08-21T10:00:00Z', text: 'Changed after the archive.' })
  serve('/redhat/archive_latest.txt', 'csaf_vex_2026-08-20.tar.zst\n')
  serve('/redhat/csaf_vex_2026-08-20.tar.zst', buildArchive(...manyVex(20, { at: '2026-08-10T10:00:00Z' })))
  serve(`/redhat/${toPath('CVE-2024-10003')}`, JSON.stringify(changed))
  serve('/redhat/changes.csv', buildList([toPath('CVE-2024-10003'), '2026-08-21T10:00:00+00:00']))
  serve('/redhat/deletions.csv', buildList([toPath('CVE-2024-10005'), '2026-08-21T11:00:00+00:00']))
  return { FEED_REDHAT_URL: `${url}/redhat/`, FEED_REDHAT_PAUSE_MS: '0' }
}

const playMsrc: Play = ({ url, serve }) => {
  serve('/msrc/updates', msrcUpdates({ '2024-Aug': '2024-08-21T07:00:00Z' }))
  serve('/msrc/cvrf/2024-Aug', msrcDocument('2024-Aug', vulnerabilities(10)))
  return { FEED_MSRC_URL: `${url}/msrc/` }
}

const playSecdb: Play = ({ url, serve }) =>
  Object.fromEntries(
    SECDB_SOURCE_IDS.map((id) => {
      for (const document of SECDB_SOURCES[id].documents) {
        const [branch] = document.includes('/') ? document.split('/') : []
        serve(`/secdb/${id}/${document}`, secdb({ larkfield: { '1.2-r0': ['CVE-2024-0001'] } }, branch))
      }
      return [`FEED_${id.toUpperCase()}_URL`, `${url}/secdb/${id}`]
    }),
  )

/** All publishers of CSAF documents share one played provider. */
const playCsaf: Play = async () => {
  const provider = await playProvider({ lists: ['rolie'] })
  provider.publish(...Array.from({ length: 5 }, (_, index) => published(`ACME-2024-${1000 + index}`)))
  const settings = Object.keys(CSAF_SOURCES).map((id) => `FEED_${id.toUpperCase().replace('-', '_')}_URL`)
  return {
    ...Object.fromEntries(settings.map((name) => [name, provider.address('provider-metadata.json')])),
    csafHost: provider.upstream.host,
  }
}

/** NVD's API of changes, with the same answer for every window. */
const playNvdHistory: Play = ({ url, serve }) => {
  serve('/nvd-history', historyPage([playedChange(1), playedChange(2)]))
  return { FEED_NVD_HISTORY_API_URL: `${url}/nvd-history`, FEED_NVD_HISTORY_PAGES_PER_RUN: '1' }
}

export interface AllUpstreams {
  readonly upstream: Upstream
  readonly environment: Readonly<Record<string, string>>
}

export async function playAllUpstreams(): Promise<AllUpstreams> {
  const upstream = await startUpstream()
  const plays = [
    playSingleFiles,
    playNvd,
    playNvdHistory,
    playCveList,
    playEpssHistory,
    playAcsc,
    playGhsa,
    playRedHat,
    playMsrc,
    playSecdb,
  ]
  const settings: Settings = {}
  for (const play of plays) Object.assign(settings, await play(upstream))
  const { csafHost, ...csaf } = await playCsaf(upstream)
  return {
    upstream,
    environment: {
      ...settings,
      ...csaf,
      NODE_ENV: 'test',
      FEEDS_PRIVATE_HOSTS: [upstream.host, csafHost].join(','),
    },
  }
}
