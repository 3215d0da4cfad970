// Limits on what a provider can make the service hold in memory or remember.
import { describe, expect, it } from 'vitest'
import { advance, type ProviderCursor } from '../../../../../src/feeds/sources/csaf/provider/cursor.ts'
import { toListedDocument } from '../../../../../src/feeds/sources/csaf/provider/listing.ts'
import { behaviours } from '../../../../support/network/upstream.ts'
import { createFeedHarness } from '../../../feed-harness.ts'
import { FEED, published, startProvider, toPath } from './played-provider.ts'

const harness = await createFeedHarness()
const GOOD = published('ACME-2024-1')
const METADATA = 'provider-metadata.json'
const AT = '2026-08-20T10:00:00Z'
const publisher = { namespace: 'https://acme.example' }

async function startEmpty(play?: Parameters<typeof startProvider>[1]) {
  await harness.reset()
  return startProvider(harness, { hashes: false, ...play })
}

const readFailed = async () => {
  const [row] = await harness.selectRows<{ failed: object }>(
    `select cursor -> 'failed' as failed from source.feed where name = '${FEED}'`,
  )
  return Object.keys(row?.failed ?? {})
}

describe('CSAF provider: limits', () => {
  it('fails the run if the metadata names 51 ROLIE feeds, and requests none of them', async () => {
    const provider = await startEmpty()
    const feeds = Array.from({ length: 51 }, (_, index) => ({ url: provider.address(`feed-${index}.json`) }))
    provider.serve(METADATA, { distributions: [{ rolie: { feeds } }], publisher })

    expect(await provider.sync()).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('names 51 ROLIE feeds, at most 50 are allowed'),
    })
    expect(provider.takeRequests()).toEqual([METADATA])
  })

  it('fails the run if all lists together name more than 250,000 documents', async () => {
    const provider = await startEmpty()
    const names = ['a', 'b', 'c']
    provider.serve(METADATA, {
      distributions: [{ rolie: { feeds: names.map((name) => ({ url: provider.address(`${name}.json`) })) } }],
      publisher,
    })
    for (const name of names) {
      const entry = Array.from({ length: 130_000 }, (_, index) => ({
        id: 'x',
        updated: AT,
        content: { src: `${name}${index}.json` },
      }))
      provider.serve(`${name}.json`, { feed: { entry } })
    }

    expect(await provider.sync()).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('name more than 250000 documents'),
    })
    expect(provider.takeRequests()).toEqual(['a.json', 'b.json', METADATA])
  })

  it('fails the run if a list consists of millions of line breaks', async () => {
    const provider = await startEmpty()
    provider.serve('changes.csv', '\n'.repeat(30_000_000))

    expect(await provider.sync()).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('has 30000000 lines, at most 250000 are allowed'),
    })
  })

  it('rejects a path of more than 1,000 characters, which the cursor would have to hold', async () => {
    const provider = await startEmpty()
    provider.publish(GOOD)
    provider.serve('changes.csv', `"${toPath(GOOD.id)}","${AT}"\n"${'a/'.repeat(600)}b.json","${AT}"\n`)

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 1, rejected: 1 })
    expect(await harness.listRejections()).toMatchObject([{ reason: expect.stringContaining('longer than 1000') }])
  })

  it('forgets a failed document that is no longer listed, so that an unchanged list is not read again', async () => {
    const provider = await startEmpty()
    provider.publish(GOOD, published('ACME-2024-2'))
    provider.serve(toPath('ACME-2024-2'), behaviours.answers(404))
    await provider.sync()
    expect(await readFailed()).toEqual([provider.address(toPath('ACME-2024-2'))])

    provider.publish(GOOD, published('ACME-2024-3'))
    await provider.sync()

    expect(await readFailed()).toEqual([])
  })

  it('remembers at most 1,000 failed documents', () => {
    const start: ProviderCursor = { since: '', seen: [], failed: {}, listed: 0, validators: {} }
    const requested = Array.from({ length: 1100 }, (_, index) =>
      toListedDocument({
        at: new Date(AT),
        url: new URL(`https://acme.example/${index}.json`),
        hashes: [],
        signature: undefined,
        areNamed: false,
      }),
    )

    expect(Object.keys(advance(start, { requested, failed: requested }).failed)).toHaveLength(1000)
  })
})
