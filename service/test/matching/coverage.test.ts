import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { collectFromDebian, collectFromPackages } from '../../src/catalog/affected/from-packages.ts'
import { readClaim } from '../../src/catalog/sources/read-claim.ts'
import { readComponent } from '../../src/domain/component/component.ts'
import { findPackageType } from '../../src/domain/purl/package-types.ts'
import { parsePurl } from '../../src/domain/purl/parse-purl.ts'
import { isCsafSource } from '../../src/domain/source/csaf-sources.ts'
import { isSecdbSource } from '../../src/domain/source/secdb-sources.ts'
import { isVendorSource } from '../../src/domain/source/source.ts'
import { DATA_SOURCES, SOURCE_IDS, type SourceId } from '../../src/domain/source/sources.ts'
import { type FetchContext, isRejected } from '../../src/feeds/feed.ts'
import { feedDefinitions } from '../../src/feeds/index.ts'
import type { DebianRow } from '../../src/feeds/sources/debian/normalise.ts'
import { judgeCoverage } from '../../src/matching/coverage/coverage.ts'
import type { AffectedRow } from '../../src/record/affected-row.ts'
import { completeSet } from '../support/coverage.ts'
import { createTestDownload } from '../support/network/downloads.ts'

const NOW = new Date('2026-08-22T00:00:00Z')
const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url))

const context: FetchContext = {
  cursor: undefined,
  now: NOW,
  from: SAMPLE,
  download: createTestDownload([]),
  spool: mkdtempSync(join(tmpdir(), 'vis-sample-')),
  signal: new AbortController().signal,
  notice: () => {},
}

/** Returns the package rows that the catalog derives from a source's sample files. */
async function readSampleRows(id: SourceId): Promise<readonly AffectedRow[]> {
  const feed = feedDefinitions.map((each) => each.configure({}).feed).find(({ name }) => name === id)
  const rows: AffectedRow[] = []
  for await (const delivery of feed?.fetch(context) ?? []) {
    for await (const reading of delivery.records(() => {})) {
      const row = isRejected(reading) ? reading : feed?.normalise(reading.raw, NOW)
      if (!isRejected(row)) rows.push(...collectRows(id, row))
    }
  }
  return rows
}

function collectRows(id: SourceId, row: unknown): readonly AffectedRow[] {
  // The casts are safe: these are the feeds' rows.
  if (id === 'debian') return collectFromDebian([row as DebianRow])
  const { record } = row as { readonly record: string }
  const claim = readClaim({ source: isVendorSource(id) ? id : 'osv', modified: NOW, record })
  return claim === undefined ? [] : collectFromPackages(claim)
}

const findSources = judgeCoverage([], NOW).findCoverage

/** Publishers of CSAF documents have no sample. */
const KNOWING_PACKAGES = SOURCE_IDS.filter(
  (id) => id === 'debian' || id.startsWith('osv-') || isSecdbSource(id) || (isVendorSource(id) && !isCsafSource(id)),
)

describe('Components that no source can judge', () => {
  it.each(KNOWING_PACKAGES)('include no package that %s makes a statement about', async (id) => {
    const rows = await readSampleRows(id)
    const gaps = rows.filter(({ vendor, product }) => {
      const component = { ...readComponent({ product }), by: 'purl', kind: 'purl', vendor, product } as const
      return !findSources(component).sources.some(({ source }) => source === (DATA_SOURCES[id].supplements ?? id))
    })
    expect(new Set(gaps.map(({ vendor }) => vendor))).toEqual(new Set())
    expect(rows.length > 0).toBe(DATA_SOURCES[id].packages !== undefined)
  })

  it.each(SOURCE_IDS.flatMap((id) => DATA_SOURCES[id].packages ?? []))(
    'do not include %s, whose versions have an order',
    (set) => {
      expect(findPackageType(set.split('/')[0] ?? '')?.scheme).toBeDefined()
    },
  )

  it.each(['pkg:deb/raspbian/openssl@3.0.2', 'pkg:rpm/fedora/openssl@3.0.2', 'pkg:conan/openssl@3.0.2'])(
    'include %s while every data set is current',
    (text) => {
      const purl = parsePurl(text)
      if ('error' in purl) throw new Error(purl.error)
      const sets = SOURCE_IDS.map((name) => completeSet(name, NOW))
      expect(judgeCoverage(sets, NOW).findCoverage(readComponent({ purl })).gap).toBe('no_source')
    },
  )
})

describe('A database that makes statements about a component', () => {
  const findGapWithout = (missing: SourceId, text: string) => {
    const purl = text.startsWith('pkg:') ? parsePurl(text) : undefined
    if (purl !== undefined && 'error' in purl) throw new Error(purl.error)
    const component = readComponent(purl === undefined ? { product: text, version: '1.0' } : { purl })
    const sets = SOURCE_IDS.map((name) => ({
      ...completeSet(name, NOW),
      ...(name === missing && { lastSuccessAt: null }),
    }))
    return judgeCoverage(sets, NOW).findCoverage(component).gap
  }

  it.each([
    ['nvd', 'lark'],
    ['cve', 'lark'],
    ['overrides', 'lark'],
    ['kev', 'lark'],
    ['eukev', 'lark'],
    ['ghsa', 'pkg:npm/lark@1.0'],
    ['cve', 'pkg:npm/lark@1.0'],
    ['osv-rustsec', 'pkg:cargo/lark@1.0'],
    ['cve', 'pkg:rpm/redhat/lark@1.0-1.el9?distro=rhel-9'],
  ] as const)('is needed before silence proves anything: %s for %s', (missing, text) => {
    expect(findGapWithout(missing, text)).toBe('no_data')
  })

  it.each([
    ['osv-eef', 'pkg:hex/lark@1.0'],
    ['rubysec', 'pkg:gem/lark@1.0'],
    ['friendsofphp', 'pkg:composer/lark/lark@1.0'],
    ['malicious', 'pkg:npm/lark@1.0'],
  ] as const)('is not needed if it only adds to another: %s for %s', (missing, text) => {
    expect(findGapWithout(missing, text)).toBeUndefined()
    expect(findGapWithout('ghsa', text)).toBe('no_data')
  })

  it('is not needed for components of which it says nothing', () => {
    expect(findGapWithout('osv-debian', 'pkg:deb/debian/lark@1.0-1?distro=debian-12')).toBeUndefined()
    expect(findGapWithout('debian', 'pkg:deb/debian/lark@1.0-1?distro=debian-12')).toBe('no_data')
    expect(findGapWithout('ghsa', 'lark')).toBeUndefined()
    expect(findGapWithout('nvd', 'pkg:npm/lark@1.0')).toBeUndefined()
    expect(findGapWithout('epss', 'pkg:npm/lark@1.0')).toBeUndefined()
  })
})
