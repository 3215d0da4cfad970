// Providers with bad manners. Each test says what the provider does; all of them check that a reason is recorded and that
// the stored data is unchanged.
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { behaviours, type Content, type Handler } from '../../../../support/network/upstream.ts'
import { createFeedHarness } from '../../../feed-harness.ts'
import { ACME_TREE, csafDocument } from '../fixtures.ts'
import { FEED, type PlayedProvider, published, startProvider, toPath, writeChanges } from './played-provider.ts'

const harness = await createFeedHarness()
const [A, BAD] = ['ACME-2024-1', 'ACME-2024-9']
const GOOD_AT = '2026-08-20T10:00:00Z'
const BAD_AT = '2026-08-21T09:00:00Z'
const METADATA = 'provider-metadata.json'
const GOOD = published(A, GOOD_AT)
const HTML = '<!DOCTYPE html><html><body>Please enable cookies.</body></html>'

/** All rows of the store, with the transaction that wrote each. */
const readStored = () =>
  harness.selectRows(
    `select 'document' as kind, xmin::text, md5(t::text) from source.csaf_document t
      union all
     select 'statement', xmin::text, md5(t::text) from source.csaf_statement t order by 1, 2, 3`,
  )

const readRejections = () =>
  harness.selectRows<{ subject: string; reason: string }>(
    'select subject, reason from source.feed_rejection where run_id = (select max(id) from source.feed_run)',
  )

const bad = (options: Parameters<typeof csafDocument>[1] = {}) =>
  JSON.stringify(csafDocument(BAD, { released: BAD_AT, ...options }))

const acme = { ...csafDocument(BAD, { released: BAD_AT }).document }

function nest(depth: number): unknown {
  let branch: unknown = { category: 'product_version', name: '1', product: { name: 'Deep', product_id: 'P9' } }
  for (let level = 0; level < depth; level += 1)
    branch = { category: 'product_name', name: `level ${level}`, branches: [branch] }
  return branch
}

const manyVulnerabilities = Array.from({ length: 10_000 }, (_, index) => ({
  cve: `CVE-2024-${10_000 + index}`,
  product_status: { known_affected: ['P1'] },
}))

const manyProducts = {
  branches: [
    {
      category: 'vendor',
      name: 'Acme',
      branches: Array.from({ length: 400_000 }, (_, index) => ({
        category: 'product_name',
        name: 'x',
        product: { name: 'x', product_id: `Q${index}` },
      })),
    },
  ],
}

const circle = {
  ...ACME_TREE,
  relationships: ['R1', 'R2'].map((id, index) => ({
    category: 'default_component_of',
    full_product_name: { name: id, product_id: id },
    product_reference: index === 0 ? 'R2' : 'R1',
    relates_to_product_reference: index === 0 ? 'R2' : 'R1',
  })),
}

const twoOfOneId = {
  full_product_names: [
    { product_id: 'P1', name: 'Acme Router 2.1' },
    { product_id: 'P1', name: 'Acme Switch 1.0' },
  ],
}

/** Answers for the address of the bad document, and the reason with which it is rejected. */
const BAD_DOCUMENTS: readonly (readonly [what: string, answer: Content | Handler, reason: RegExp])[] = [
  ['is labelled TLP:RED', bad({ label: 'RED' }), /TLP label is RED/],
  ['is labelled TLP:AMBER', bad({ label: 'AMBER' }), /TLP label is AMBER/],
  ['is a draft', bad({ status: 'draft' }), /draft/],
  ['names 10,000 CVEs', bad({ vulnerabilities: manyVulnerabilities }), /10000 vulnerabilities/],
  ['has 400,000 products', bad({ tree: manyProducts }), /bytes, expected at most/],
  ['is an HTML page', HTML, /HTML/],
  ['is an HTML page labelled as such', behaviours.sendsHtml(), /HTML/],
  ['is cut off', bad().slice(0, -20), /not JSON/],
  ['is a list instead of an object', '[]', /id|object|document/],
  ['is empty', '', /empty/],
  ['is a decompression bomb', gzipSync(' '.repeat(20_000_000)), /UTF-8|JSON/],
  [
    'is larger than the limit',
    behaviours.answers(200, '', { 'content-length': '40000000' }),
    /announced 40000000 bytes/,
  ],
  ['never ends', behaviours.sendsWithoutEnd(' '.repeat(1_000_000)), /more than \d+ bytes/],
  ['is encoded with gzip', behaviours.answers(200, gzipSync(bad()), { 'content-encoding': 'gzip' }), /encoded/],
  ['redirects to a private address', behaviours.redirects('http://10.0.0.1/secret.json'), /redirects to 10\.0\.0\.1/],
  ['redirects to the metadata service of a cloud', behaviours.redirects('http://169.254.169.254/latest'), /169\.254/],
  ['redirects to itself', behaviours.redirects(`/csaf/${toPath(BAD)}`), /302|redirect/i],
  ['redirects to a file on the disk', behaviours.redirects('file:///etc/passwd'), /redirects to|location/],
  ['has the id of another document', JSON.stringify(csafDocument('ACME-2024-7')), /does not belong to the name/],
  [
    'is by another publisher',
    JSON.stringify({
      ...csafDocument(BAD),
      document: { ...acme, publisher: { ...acme.publisher, namespace: 'https://evil.example' } },
    }),
    /publisher .*evil\.example/,
  ],
  ['is nested 200 levels deep', bad({ tree: { branches: [nest(100)] } }), /levels deep/],
  ['gives two products the same id', bad({ tree: twoOfOneId }), /two products the same id/],
  ['has circular relationships', bad({ tree: circle }), /circular/],
  [
    'names no products in its statuses but a text',
    bad({ vulnerabilities: [{ cve: 'CVE-2024-1', product_status: 'all' }] }),
    /product_status/,
  ],
  ['has an invalid date', bad({ released: 'soon' }), /date-time/],
  ['is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /UTF-8/],
  ['has a number that is too large', bad().replace('"category"', '"x":1e999,"category"'), /too large/],
  ['does not exist', behaviours.answers(404), /404/],
]

async function startAfterImport(play?: Parameters<typeof startProvider>[1]): Promise<PlayedProvider> {
  await harness.reset()
  const provider = await startProvider(harness, { hashes: false, ...play })
  provider.publish(GOOD)
  expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
  return provider
}

describe('CSAF provider: a listed document', () => {
  let provider: PlayedProvider
  let stored: unknown

  beforeAll(async () => {
    provider = await startAfterImport()
    stored = await readStored()
  })

  it.each(BAD_DOCUMENTS)('is rejected with a reason if it %s', async (_what, answer, reason) => {
    provider.serve(toPath(BAD), answer)
    provider.serve('changes.csv', writeChanges([GOOD, { id: BAD, at: new Date(Date.parse(BAD_AT)).toISOString() }]))
    await harness.selectRows(
      `update source.feed set cursor = jsonb_set(jsonb_set(cursor, '{seen}', '[]'), '{failed}', '{}') where name = '${FEED}'`,
    )

    expect(await provider.sync()).toMatchObject({ written: 0, removed: 0 })
    expect(await readRejections()).toContainEqual({
      subject: expect.stringMatching(/acme-2024-\d/i),
      reason: expect.stringMatching(reason),
    })
    expect(await readStored()).toEqual(stored)
  })
})

describe('CSAF provider: other documents', () => {
  it('stores undefined products and unreadable ranges as they are, and clamps a date in the future', async () => {
    const provider = await startAfterImport()
    const vulnerabilities = [{ cve: 'CVE-2024-1000', product_status: { known_affected: ['P-unread', 'NOWHERE'] } }]
    const leaf = { product_id: 'P-unread', name: 'Acme Router' }
    const range = 'vers:generic/>=<=|!=2%ZZ|'
    const tree = { branches: [{ category: 'product_version_range', name: range, product: leaf }] }
    const content = bad({ tree, vulnerabilities, released: '2036-01-01T00:00:00Z' })
    provider.publish(GOOD, { id: BAD, at: BAD_AT, content })

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
    const [row] = await harness.selectRows<{ products: string; is_past: boolean }>(
      `select products, modified < '2030-01-01' as is_past from source.csaf_document where id = '${BAD}'`,
    )
    expect(JSON.parse(row?.products ?? '')).toEqual([
      { name: 'Acme Router', version: range, is_range: true },
      { name: 'NOWHERE', is_undefined: true },
    ])
    expect(row?.is_past).toBe(true)
  })

  it('rejects a document whose hash differs', async () => {
    const provider = await startAfterImport({ hashes: true })
    const stored = await readStored()
    provider.publish(GOOD, published(BAD, BAD_AT))
    provider.serve(`${toPath(BAD)}.sha256`, `${'0'.repeat(64)}  ${BAD}.json\n`)

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 0, rejected: 1 })
    expect(await readRejections()).toMatchObject([{ reason: 'the SHA-256 hash differs' }])
    expect(await readStored()).toEqual(stored)
  })

  it('rejects a document whose hash file is an HTML page', async () => {
    const provider = await startAfterImport({ hashes: true })
    provider.publish(GOOD, published(BAD, BAD_AT))
    provider.serve(`${toPath(BAD)}.sha256`, HTML)

    expect(await provider.sync()).toMatchObject({ written: 0, rejected: 1 })
  })

  it('does not replace a document with an older revision', async () => {
    const provider = await startAfterImport()
    provider.publish(published(BAD, BAD_AT, { title: 'newer', version: '3' }), GOOD)
    await provider.sync()
    const stored = await readStored()
    const older = published(BAD, '2026-08-01T00:00:00Z', { title: 'older', version: '2' })
    provider.publish({ ...older, at: '2026-08-21T10:00:00Z' }, GOOD)

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 0 })
    expect(await readStored()).toEqual(stored)
  })

  it('stores texts without NUL and keeps prototype keys from doing harm', async () => {
    const provider = await startAfterImport()
    const content = bad({ title: 'A\u0000B \u202Eevil' }).replace(
      '"document":{',
      '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"document":{',
    )
    provider.publish(GOOD, { id: BAD, at: BAD_AT, content })

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect({}).not.toHaveProperty('polluted')
    const [, title = ''] = await provider.stored()
    expect(title).not.toContain('\u0000')
  })

  it('stops a run in which a document arrives a few bytes at a time, and stores nothing of it', async () => {
    const timeouts = { idleMs: 200, totalMs: 2000, speedWindowMs: 100, minBytesPerSecond: 10_000 }
    const provider = await startAfterImport({ download: { timeouts, attempts: 1 } })
    const stored = await readStored()
    const slow = Array.from({ length: 6 }, (_, index) => `ACME-2024-2${index}`)
    provider.publish(GOOD, ...slow.map((id) => published(id, BAD_AT)))
    for (const id of slow) provider.serve(toPath(id), behaviours.drips('{', 20))

    expect(await provider.sync()).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('bytes per second'),
    })
    expect(await readStored()).toEqual(stored)
  })
})

/** Lists of documents that a hostile provider could send, each with the reason why the feed rejects entries or fails. */
const BAD_LISTS: readonly (readonly [what: string, list: string, reason: RegExp])[] = [
  ['leads out of the folder', '"../../etc/passwd.json","2026-08-21T09:00:00Z"\n', /not of the form/],
  ['leads out of the folder in encoded form', '"%2e%2e/%2e%2e/x.json","2026-08-21T09:00:00Z"\n', /not of the form/],
  ['names another host', '"https://evil.example/x.json","2026-08-21T09:00:00Z"\n', /not of the form/],
  ['names an absolute path', '"//evil.example/x.json","2026-08-21T09:00:00Z"\n', /not of the form/],
  ['names a hidden file', '".git/config.json","2026-08-21T09:00:00Z"\n', /not of the form/],
  ['names a program', '"2024/x.sh","2026-08-21T09:00:00Z"\n', /not of the form/],
  ['has a time in the future', '"2024/x.json","2036-08-21T09:00:00Z"\n', /in the future/],
  ['has an invalid time', '"2024/x.json","tomorrow"\n', /date-time/],
  ['contains NUL and bidi characters', '"2024/\u0000\u202Ex.json","2026-08-21T09:00:00Z"\n', /not of the form/],
  ['has a prototype key as a name', '"__proto__","2026-08-21T09:00:00Z"\n', /not of the form/],
]

describe('CSAF provider: a line of changes.csv', () => {
  it.each(BAD_LISTS)('is rejected if it %s, and no such file is requested', async (_what, line, reason) => {
    const provider = await startAfterImport()
    const stored = await readStored()
    provider.takeRequests()
    provider.serve('changes.csv', writeChanges([GOOD]) + line)

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 0, rejected: 1 })
    expect(await readRejections()).toMatchObject([{ reason: expect.stringMatching(reason) }])
    expect(provider.takeRequests()).toEqual(['changes.csv', METADATA])
    expect(await readStored()).toEqual(stored)
  })

  it('that is repeated is downloaded once', async () => {
    const provider = await startAfterImport()
    provider.publish(published(BAD, BAD_AT), GOOD)
    provider.serve(
      'changes.csv',
      writeChanges(Array.from({ length: 50 }, () => ({ id: BAD, at: BAD_AT }))) + writeChanges([GOOD]),
    )
    provider.takeRequests()

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(provider.takeRequests().filter((path) => path === toPath(BAD))).toHaveLength(1)
  })
})

/** What the provider answers for a file, and the reason for which the run fails. */
const BAD_FILES: readonly (readonly [what: string, file: string, answer: Content | Handler, reason: RegExp])[] = [
  ['an empty list after a full one', 'changes.csv', '\n', /name no document/],
  ['an empty response as the list', 'changes.csv', '', /empty response/],
  ['a list of 300,000 documents', 'changes.csv', '"a.json","2026-08-21T09:00:00Z"\n'.repeat(300_000), /at most 250000/],
  ['an HTML page as the list', 'changes.csv', HTML, /HTML/],
  ['a list in which most lines are invalid', 'changes.csv', 'x\n'.repeat(100), /too-many-rejections|too-many-removals/],
  [
    'a list that redirects to another host',
    'changes.csv',
    behaviours.redirects('https://evil.example/'),
    /evil\.example/,
  ],
  ['an HTML page as its metadata', METADATA, HTML, /HTML/],
  ['metadata that is cut off', METADATA, '{"distributions": [', /not JSON/],
  [
    'metadata without distributions',
    METADATA,
    '{"distributions": [], "publisher": {"namespace": "x"}}',
    /distributions/,
  ],
  [
    'metadata with a directory on another host',
    METADATA,
    { distributions: [{ directory_url: 'https://evil.example/' }], publisher: { namespace: 'https://acme.example' } },
    /evil\.example is not one of the provider's hosts/,
  ],
  [
    'metadata with a directory on the disk',
    METADATA,
    { distributions: [{ directory_url: 'file:///etc/' }], publisher: { namespace: 'https://acme.example' } },
    /https/,
  ],
  [
    'metadata with a password in an address',
    METADATA,
    { distributions: [{ directory_url: 'https://a:b@evil.example/' }], publisher: { namespace: 'x' } },
    /password/,
  ],
  ['metadata that redirects in a circle', METADATA, behaviours.redirects(`/csaf/${METADATA}`), /302|redirect/i],
  ['no answer at all', METADATA, behaviours.resets(), /closed|reset/],
]

describe('CSAF provider', () => {
  it.each(BAD_FILES)('fails the run with %s and loses nothing', async (_what, file, answer, reason) => {
    const provider = await startAfterImport()
    const stored = await readStored()
    provider.serve(file, answer)

    const { outcome, written, removed, error } = await provider.sync()

    expect([outcome, written, removed]).toEqual([expect.stringMatching(/failed|refused/), 0, 0])
    expect(error).toMatch(reason)
    expect(await readStored()).toEqual(stored)
  })

  it('accepts a shorter list if the operator allows it, and keeps the documents that are no longer listed', async () => {
    const provider = await startProvider(harness, { hashes: false })
    await harness.reset()
    provider.publish(GOOD, published(BAD, BAD_AT), published('ACME-2024-8', BAD_AT))
    await provider.sync()
    provider.publish(GOOD)
    expect(await provider.sync()).toMatchObject({
      outcome: 'refused',
      error: expect.stringContaining('lacks 2 of the 3'),
    })

    expect(await provider.sync({ allowed: new Set(['too-many-removals']) })).toMatchObject({ outcome: 'succeeded' })
    expect(await provider.stored()).toHaveLength(3)
    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded' })
  })
})

describe('CSAF provider with a ROLIE feed', () => {
  const entry = (changes: object) => ({
    id: BAD,
    updated: BAD_AT,
    content: { src: 'https://evil.example/x.json' },
    ...changes,
  })

  it.each<[string, object, RegExp]>([
    ['names a document on another host', {}, /evil\.example is not one of the provider's hosts/],
    ['names no document', { content: {} }, /names no document/],
    ['names an address that is none', { content: { src: 'http://[' } }, /address\.invalid/],
    [
      'names a hash on another host',
      { content: { src: 'x.json' }, link: [{ rel: 'hash', href: 'https://evil.example/x.sha256' }] },
      /evil\.example/,
    ],
    ['names a page', { content: { src: 'x.html' } }, /NAME\.json/],
    ['is dated in the future', { content: { src: 'x.json' }, updated: '2036-01-01T00:00:00Z' }, /future/],
    ['has no time', { updated: undefined }, /updated/],
  ])('rejects an entry that %s', async (_what, changes, reason) => {
    const provider = await startAfterImport({ lists: ['rolie'], hashes: true })
    const stored = await readStored()
    const good = { id: A, updated: GOOD_AT, content: { src: provider.address(toPath(A)) } }
    provider.serve('feed.json', JSON.stringify({ feed: { entry: [good, entry(changes)] } }))

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 0, rejected: 1 })
    expect(await readRejections()).toMatchObject([{ reason: expect.stringMatching(reason) }])
    expect(await readStored()).toEqual(stored)
  })

  it.each<[string, Handler | Content, RegExp]>([
    ['a million entries', `{"feed":{"entry":[${'{"id":"a"},'.repeat(1e6)}{}]}}`, /more than 2000000 values|at most/],
    ['no entries any longer', '{"feed":{"entry":[]}}', /name no document/],
    ['an XML feed', '<?xml version="1.0"?><feed/>', /not JSON/],
    ['a feed nested 100 levels deep', `{"feed":${'['.repeat(100)}${']'.repeat(100)}}`, /levels deep/],
  ])('fails the run with %s and loses nothing', async (_what, answer, reason) => {
    const provider = await startAfterImport({ lists: ['rolie'], hashes: true })
    const stored = await readStored()
    provider.serve('feed.json', answer)

    expect(await provider.sync()).toMatchObject({ written: 0, removed: 0, error: expect.stringMatching(reason) })
    expect(await readStored()).toEqual(stored)
  })
})
