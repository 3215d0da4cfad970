import { describe, expect, it } from 'vitest'
import { nthFaultLink } from '../../support/network/nth-fault-proxy.ts'
import { expectFaultsInWords, failEachCall, summaryOf } from './nth-database-call.ts'
import { FEEDS, feedsWorld, fromDirectory } from './setup.ts'

const slice = { years: [2025], recordsPerYear: 30, now: new Date('2026-08-22T00:00:00Z') }
const world = await feedsWorld(slice, fromDirectory(slice))

describe('A feed whose every call to the database fails in turn', () => {
  it('fails in words, leaves nothing half done, and ends where an undisturbed one ends', {
    timeout: 300_000,
  }, async () => {
    const outcomes = await Promise.all(FEEDS.map((feed) => failEachCall(world, feed, ['connection'])))

    process.stdout.write(`${outcomes.map(summaryOf).join('\n')}\n`)
    for (const each of outcomes) expectFaultsInWords(each)
    // The whole conversation was heard: from the lease to the last commit.
    for (const { calls } of outcomes) expect(calls).toEqual(expect.arrayContaining(['connect', 'copy data', 'commit']))
  })
})

describe('A sync whose connection is cut', () => {
  const syncCutAt = async (call: RegExp) => {
    const database = await world.clone()
    const link = await nthFaultLink(database.url)
    link.arm({ call, moment: 'before', strike: ({ cut }) => cut() })
    const ended = await world.sync(link.url).ended
    expect(link.hasStruck).toBe(true)
    return ended
  }

  it('in the middle of a feed, says so, runs the others, and ends with 1', async () => {
    const { code, stdout, stderr } = await syncCutAt(/^copy data/)

    expect(code).toBe(1)
    expect(stdout).toMatch(/nvd +failed.*kev +succeeded.*epss +succeeded/s)
    expect(stderr).toMatch(/nvd: PostgreSQL could not be used \(.+\)\. The run will be tried again\./)
  })

  it('before a feed has begun, says so without a stack, and ends with 1', async () => {
    const { code, stderr } = await syncCutAt(/^update source.feed set lease_epoch/)

    expect(code).toBe(1)
    expect(stderr).toMatch(/PostgreSQL (cannot|could not) be used/)
    expect(stderr).not.toMatch(/^ +at /m)
  })
})
