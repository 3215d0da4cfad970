// Writes the generated part of docs/feeds.md, the tables of feeds, from the source descriptors. With --check, fails if
// the document differs.
import { CSAF_SOURCES, type CsafSourceId } from '../../service/src/domain/source/csaf-sources.ts'
import { OSV_SOURCES, type OsvSourceId } from '../../service/src/domain/source/osv-sources.ts'
import { DATA_SOURCES, SOURCE_IDS, type SourceId } from '../../service/src/domain/source/sources.ts'
import { csafDefinitions } from '../../service/src/feeds/sources/csaf/feed.ts'
import { osvDefinitions } from '../../service/src/feeds/sources/osv/feed.ts'
import { replaceGenerated, writeOrCheck } from './generated-file.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR

function renderFeeds(): string {
  return [
    '| Feed | Content | Source | Terms | Interval | Stale after | Data stale after |',
    '|---|---|---|---|---|---|---|',
    ...SOURCE_IDS.map(renderFeed),
    '',
    '## OSV databases',
    '',
    'osv.dev publishes one archive per ecosystem. `--from` reads it, or files with one advisory in OSV form per line, from the directory itself or its folder `osv`.',
    '',
    '| Setting | Default | Feed | Packages | Files |',
    '|---|---|---|---|---|',
    // The cast is safe: Object.keys returns the keys of OSV_SOURCES.
    ...(Object.keys(OSV_SOURCES) as OsvSourceId[]).map(renderDatabase),
    '',
    '## CSAF publishers',
    '',
    'A feed `csaf-*` reads the `provider-metadata.json` of a publisher and the lists of documents to which it leads, in a ROLIE feed or a directory ([ADR 0026](adr/0026-csaf-arrival.md)). An address is a default only if a public page confirms it. Without one, `vis-server sync` and the worker skip the feed, and `/health` shows its data set as never loaded, until you set an address or import files.',
    '',
    '| Setting | Default | Meaning | Confirmed by |',
    '|---|---|---|---|',
    // The cast is safe: Object.keys returns the keys of CSAF_SOURCES.
    ...(Object.keys(CSAF_SOURCES) as CsafSourceId[]).flatMap(renderPublisher),
    '',
  ].join('\n')
}

function renderFeed(id: SourceId): string {
  const { content, origin, terms, excerpt, intervalSeconds, intervalNote, ...source } = DATA_SOURCES[id]
  const cells = [
    `\`${id}\``,
    content,
    origin,
    [`[${terms.name}](${terms.url})`, ...(excerpt === undefined ? [] : [excerpt])].join('. '),
    `${formatInterval(intervalSeconds)}${intervalNote === undefined ? '' : ` (${intervalNote})`}`,
    formatAge(source.staleAfterSeconds),
    source.maxDataAgeDays === null ? 'no limit' : `${source.maxDataAgeDays} days`,
  ]
  return renderRow(cells)
}

function renderDatabase(id: OsvSourceId): string {
  const { packages, releases, files } = OSV_SOURCES[id]
  const names = packages?.map((each) => `\`pkg:${each}\``).join(', ') ?? 'none: only ids of advisories'
  const judged = names + (releases ? ` ${releases.join(', ')}` : '')
  return osvDefinitions[id].settings
    .map(({ name, fallback }) =>
      renderRow([
        `\`${name}\``,
        `\`${String(fallback)}\``,
        `\`${id}\``,
        judged,
        `\`${id}.zip\`, or \`${files}*.ndjson\``,
      ]),
    )
    .join('\n')
}

function renderPublisher(id: CsafSourceId): readonly string[] {
  const { title, metadata } = CSAF_SOURCES[id]
  const [url, hosts] = csafDefinitions[id].settings
  const keys = metadata?.keys?.map(({ fingerprint, page }) => `; key [\`${fingerprint}\`](${page})`) ?? []
  return [
    renderRow([
      `\`${url?.name}\``,
      metadata ? `\`${metadata.url}\`` : 'none',
      `address of the metadata of ${title}`,
      metadata ? `[page](${metadata.page})${keys.join('')}` : 'no page: the setting is missing',
    ]),
    renderRow([
      `\`${hosts?.name}\``,
      metadata?.hosts?.map((host) => `\`${host}\``).join(', ') ?? 'none',
      'further hosts of its lists and documents',
      '',
    ]),
  ]
}

const renderRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function formatInterval(seconds: number): string {
  if (seconds === DAY) return 'every day'
  if (seconds === HOUR) return 'every hour'
  return seconds < HOUR ? `every ${seconds / 60} min` : `every ${seconds / HOUR} h`
}

function formatAge(seconds: number): string {
  return seconds < 3 * DAY ? `${seconds / HOUR} h` : `${seconds / DAY} days`
}

writeOrCheck('docs/feeds.md', (text) => replaceGenerated(text, 'write-feeds.ts', renderFeeds()))
