import { describe, expect, it } from 'vitest'
import { type Held, nthFaultLink } from '../../support/network/nth-fault-proxy.ts'
import { manners } from '../../support/network/upstream.ts'
import { startFeeds } from './process.ts'
import { KEV_FILE } from './slice.ts'
import { until } from './until.ts'
import { type Workshop, workshop } from './workers.ts'

/** What we promise: a dead worker's feed runs again within two minutes. */
const PROMISED_MS = 120_000
const START_MS = 60_000

const hasSucceeded = async ({ runs }: Workshop) => (await runs()).some(({ outcome }) => outcome === 'succeeded')

describe('The feed of a worker that was killed', () => {
  it('is run by another one within two minutes, in real time', async () => {
    const world = await workshop(10)
    world.upstream.serve(`/${KEV_FILE}`, manners.hangs())
    const first = world.startWorker('kev')
    await until('the first worker asked', () => world.upstream.requests().length === 1, START_MS)
    world.serve(1)
    const second = world.startWorker('kev')

    first.signal('SIGKILL')
    await first.ended
    const waitedMs = await until('kev was run again', () => hasSucceeded(world), PROMISED_MS)
    second.signal('SIGTERM')

    console.log(`kev was run again ${(waitedMs / 1000).toFixed(1)} s after its worker was killed`)
    expect(await world.runs()).toMatchObject([
      { outcome: 'abandoned', epoch: 1, fault: expect.stringMatching(/process died/) },
      { outcome: 'succeeded', epoch: 2 },
    ])
    expect((await second.ended).code).toBe(0)
  })
})

describe('The feed of a worker that falls asleep right before its commit', () => {
  it('is run by another one within two minutes, and the sleeper, once awake, changes nothing', async () => {
    const world = await workshop(10)
    world.serve(1)
    const link = await nthFaultLink(world.environment['DATABASE_URL'] ?? '')
    const first = startFeeds(['worker', 'kev'], { ...world.environment, DATABASE_URL: link.url })
    // Everything is written, and the row that says whose turn it is is locked.
    const held = await new Promise<Held>((resolve) => link.arm({ call: /^commit/, moment: 'before', strike: resolve }))
    first.signal('SIGSTOP')
    const second = world.startWorker('kev')

    const waitedMs = await until('kev was run again', () => hasSucceeded(world), PROMISED_MS)
    const content = await world.inspector.content()
    held.passOn()
    first.signal('SIGCONT')
    await until(
      'the sleeper said what became of it',
      async () => (await world.runs())[0]?.outcome !== 'abandoned',
      START_MS,
    )
    for (const each of [first, second]) each.signal('SIGTERM')
    const ended = await Promise.all([first.ended, second.ended])

    const runs = await world.runs()
    console.log(
      `kev was run again ${(waitedMs / 1000).toFixed(1)} s after its worker fell asleep; the sleeper's run: ${runs[0]?.outcome}, ${runs[0]?.fault}`,
    )
    expect(runs).toMatchObject([
      { outcome: expect.stringMatching(/fenced|failed/), epoch: 1 },
      { outcome: 'succeeded', epoch: 2 },
    ])
    expect(await world.inspector.content()).toEqual(content)
    expect(ended.map(({ code }) => code)).toEqual([0, 0])
  })
})
