import { beforeEach, describe, expect, it } from 'vitest'
import type { Feed } from '../../../../src/feeds/feed.ts'
import { repositoryDefinitions, repositoryFeed } from '../../../../src/feeds/sources/repository/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { createZip } from '../../formats/zip-builder.ts'
import { friendsOfPhpAdvisory, maliciousReport, rubySecAdvisory } from './fixtures.ts'

const { importFiles, selectRows, listQueued, listRejections, reset } = await createFeedHarness()

const rubySec: Feed = repositoryFeed('rubysec', { url: 'https://rubysec.example/master.zip' })
const friendsOfPhp: Feed = repositoryFeed('friendsofphp', { url: 'https://php.example/master.zip' })
const malicious: Feed = repositoryFeed('malicious', { url: 'https://malicious.example/main.zip' })

const lines = (...records: readonly unknown[]) => `${records.map((each) => JSON.stringify(each)).join('\n')}\n`
const readRubySec = (...records: readonly unknown[]) => importFiles(rubySec, { 'rubysec.ndjson': lines(...records) })
const readFriendsOfPhp = (...records: readonly unknown[]) =>
  importFiles(friendsOfPhp, { 'friendsofphp.ndjson': lines(...records) })

interface Stored {
  readonly feed: string
  readonly id: string
  readonly cves: readonly string[]
  readonly record: { readonly products: readonly Record<string, unknown>[] } & Record<string, unknown>
}

const listStored = () =>
  selectRows<Stored>(`
    select feed, id, record::json,
           array(select cve_id from source.osv_advisory_cve where feed = osv_advisory.feed and advisory_id = id
                  order by cve_id) as cves
      from source.osv_advisory
     order by feed, id
  `)

beforeEach(reset)

const YAML = `---
gem: larkfield
cve: 2024-10007
ghsa: 2222-3333-4444
url: https://example.org/larkfield/news/1
title: Larkfield trusts a header
date: 2024-05-06
description: |
  The second length header is ignored.
cvss_v3: 7.5
unaffected_versions:
  - "< 1.0.0"
patched_versions:
  - "~> 1.4.2"
  - ">= 2.0.1"
`

describe('Advisories in a repository', () => {
  it('are read from the archive, without files of other kinds', async () => {
    const archive = createZip([
      { name: 'ruby-advisory-db-master/gems/larkfield/CVE-2024-10007.yml', content: YAML },
      { name: 'ruby-advisory-db-master/rubies/ruby/CVE-2024-10008.yml', content: 'engine: ruby\n' },
      { name: 'ruby-advisory-db-master/.rspec', content: '--color\n' },
    ])
    const report = await importFiles(rubySec, { 'ruby-advisory-db-master.zip': archive })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await listStored()).toMatchObject([
      { feed: 'rubysec', id: 'rubysec:larkfield/CVE-2024-10007', cves: ['CVE-2024-10007'] },
    ])
    expect(await listQueued()).toEqual(['CVE-2024-10007'])
  })

  it('are the same in lines of JSON with their paths', async () => {
    const { path, ...content } = rubySecAdvisory(7, { related: undefined })
    expect(path).toContain('CVE-2024-10007')
    await readRubySec({ path, ...content }, { path: '.github/workflows/test.yml', name: 'Test' })
    const [fromLines] = await listStored()
    await reset()
    const name = `ruby-advisory-db-master/${String(path)}`
    await importFiles(rubySec, { 'ruby-advisory-db-master.zip': createZip([{ name, content: YAML }]) })
    expect(await listStored()).toEqual([fromLines])
  })

  it('have a setting for the address of their archive', () => {
    expect(repositoryDefinitions.friendsofphp.settings[0]).toMatchObject({
      name: 'FEED_FRIENDSOFPHP_URL',
      fallback: 'https://codeload.github.com/FriendsOfPHP/security-advisories/zip/refs/heads/master',
    })
  })

  it('are removed with their files', async () => {
    await readRubySec(...[0, 1, 2].map((index) => rubySecAdvisory(index)))
    expect(await readRubySec(...[0, 1].map((index) => rubySecAdvisory(index)))).toMatchObject({ removed: 1 })
  })
})

describe('An advisory of RubySec', () => {
  it('gives versions, ids, dates and links, and no text', async () => {
    await readRubySec(rubySecAdvisory(7))
    const [stored] = await listStored()
    expect(stored?.record).toEqual({
      database: 'rubysec',
      cve_ids: ['CVE-2024-10007'],
      aliases: ['GHSA-2222-3333-4444'],
      advisories: [],
      title: null,
      description: null,
      withdrawn: false,
      severity: null,
      scores: [],
      weaknesses: [],
      products: [
        expect.objectContaining({
          purl: 'pkg:gem/larkfield',
          introduced: '1.0.0',
          fixed: '1.4.2',
          last_affected: null,
        }),
        expect.objectContaining({
          purl: 'pkg:gem/larkfield',
          introduced: '1.5.A',
          fixed: '2.0.1',
          last_affected: null,
        }),
      ],
      references: [
        {
          url: 'https://github.com/rubysec/ruby-advisory-db/blob/master/gems/larkfield/CVE-2024-10007.yml',
          tags: [],
          built: true,
        },
        { url: 'https://example.org/larkfield/news/1', tags: [] },
        { url: 'https://example.org/larkfield/commit/1', tags: [] },
      ],
      exploitation: null,
      published: '2024-05-06T00:00:00Z',
      modified: '2024-05-06T00:00:00Z',
    })
  })

  it('names no affected versions if it is about the gem for one platform', async () => {
    await readRubySec(rubySecAdvisory(7, { platform: 'jruby' }))
    expect((await listStored())[0]?.record.products).toEqual([])
  })

  it('is rejected if a requirement, the date or the CVE id cannot be read', async () => {
    await readRubySec(
      ...[0, 1, 2, 3].map((index) => rubySecAdvisory(index)),
      rubySecAdvisory(4, { patched_versions: ['!= 1.0'] }),
      rubySecAdvisory(5, { date: 'May' }),
      rubySecAdvisory(6, { cve: '2024' }),
    )
    expect((await listRejections()).map(({ reason }) => reason).sort()).toEqual([
      'a version requirement cannot be read',
      'not a CVE id: "CVE-2024"',
      'the date is not a day: "May"',
    ])
  })
})

describe('An advisory of FriendsOfPHP', () => {
  it('calls the end of a branch a fix only if the branch has the time of the fix', async () => {
    await readFriendsOfPhp(friendsOfPhpAdvisory(7))
    const [stored] = await listStored()
    expect(stored).toMatchObject({ id: 'friendsofphp:larkfield/http/CVE-2024-10007', cves: ['CVE-2024-10007'] })
    expect(stored?.record).toMatchObject({ title: 'Larkfield trusts a header', modified: '2024-05-06T07:08:09Z' })
    expect(stored?.record.products).toEqual([
      expect.objectContaining({
        purl: 'pkg:composer/larkfield/http',
        introduced: '1.0.0',
        before: '2.0.0',
        fixed: null,
      }),
      expect.objectContaining({ purl: 'pkg:composer/larkfield/http', introduced: '2.0.0', fixed: '2.1.4' }),
    ])
  })

  it.each([
    ['2017-11-1 0:41:41', '2017-11-01T00:41:41Z'],
    ['2017-11-01 02:00:00 +0200', '2017-11-01T00:00:00Z'],
    ['yesterday', '1970-01-01T00:00:00Z'],
  ])('is dated %s', async (time, modified) => {
    await readFriendsOfPhp(friendsOfPhpAdvisory(7, { branches: { '1.x': { time, versions: ['<1.2'] } } }))
    expect((await listStored())[0]?.record).toMatchObject({ modified, products: [{ fixed: '1.2' }] })
  })

  it.each([
    ['> 1.0', { after: '1.0', introduced: null }],
    ['<=1.9', { last_affected: '1.9' }],
    ['=1.2', { introduced: '1.2', last_affected: '1.2' }],
  ])('keeps the bound %s', async (text, bounds) => {
    await readFriendsOfPhp(friendsOfPhpAdvisory(7, { branches: { '1.x': { time: null, versions: [text] } } }))
    expect((await listStored())[0]?.record.products).toMatchObject([bounds])
  })

  it.each([
    ['two lower bounds', { branches: { '1.x': { versions: ['>=1.0', '>1.1'] } } }, 'branch "1.x"'],
    ['an unknown operator', { branches: { '1.x': { versions: ['^1.0'] } } }, 'branch "1.x"'],
    ['a package of another registry', { reference: 'pear://larkfield' }, 'not a Composer package'],
  ])('is rejected for %s', async (_, changed, reason) => {
    await readFriendsOfPhp(friendsOfPhpAdvisory(0), friendsOfPhpAdvisory(1), friendsOfPhpAdvisory(2, changed))
    expect(await listRejections()).toMatchObject([{ reason: expect.stringContaining(reason) }])
  })
})

describe('A report of OpenSSF Malicious Packages', () => {
  const readReports = (...records: readonly unknown[]) =>
    importFiles(malicious, { 'malicious.ndjson': lines(...records) })

  it('is read from the archive, without reports that were withdrawn or have no id yet', async () => {
    const content = JSON.stringify(maliciousReport(0))
    const { path, id } = maliciousReport(0)
    const toName = (text: string) => `malicious-packages-main/${text}`
    const archive = createZip([
      { name: toName(String(path)), content },
      { name: toName(String(path).replace('/malicious/', '/withdrawn/')), content },
      { name: toName('osv/malicious/npm/larkfeild/MAL-0000-larkfeild.json'), content },
      { name: toName('config/config.yaml'), content: 'sources: []\n' },
    ])
    const report = await importFiles(malicious, { 'malicious-packages-main.zip': archive })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await listStored()).toMatchObject([{ feed: 'malicious', id, cves: [] }])
  })

  it('keeps its id, its title and its versions, and no description', async () => {
    await readReports(maliciousReport(0, { aliases: ['GHSA-2222-3333-4444', 'CVE-2026-1000'] }))
    expect(await listStored()).toMatchObject([
      {
        cves: ['CVE-2026-1000'],
        record: {
          database: 'malicious',
          advisories: ['MAL-2026-1000'],
          aliases: ['GHSA-2222-3333-4444'],
          title: 'Malicious code in larkfeild (npm)',
          description: null,
          withdrawn: false,
          products: [{ purl: 'pkg:npm/larkfeild', introduced: null, fixed: null, last_affected: null }],
          references: [{ url: 'https://osv.dev/vulnerability/MAL-2026-1000', tags: [], built: true }],
          published: '2026-05-05T07:08:09Z',
          modified: '2026-05-06T07:08:09Z',
        },
      },
    ])
  })

  it('that names several CVEs is about none of them', async () => {
    const aliases = ['CVE-2026-1000', 'CVE-2026-1001']
    await readReports(maliciousReport(0, { aliases }))
    expect(await listStored()).toMatchObject([{ cves: [], record: { cve_ids: [], aliases } }])
  })

  it('is rejected in the file of another report', async () => {
    await readReports(maliciousReport(0), maliciousReport(1, { id: 'MAL-2026-1000' }))
    expect(await listRejections()).toMatchObject([
      { subject: 'MAL-2026-1001', reason: 'the file of another report than "MAL-2026-1000"' },
    ])
  })
})
