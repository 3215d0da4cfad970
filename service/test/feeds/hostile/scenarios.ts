// Scenarios of hostile upstreams, played on one world: what each leaves behind is exactly what it found.
import { expect, it } from 'vitest'
import { manners } from '../../support/network/upstream.ts'
import { type FeedName, type HostileWorld, hostileWorld, PATHS } from './setup.ts'

export type Scenario = readonly [name: string, feed: FeedName, fault: RegExp, play: (world: HostileWorld) => void]

/** What could be taken over is gone before the next scenario. */
const MENDED = { kev: PATHS.kev, epss: PATHS.epss, nvd: PATHS.nvd, acsc: PATHS.acsc, cve: PATHS.cveReleases }

/** Nothing is stored, what we have stays, and the run's record names the fault. */
export async function playAll(scenarios: readonly Scenario[]): Promise<void> {
  const world = await hostileWorld()
  it.each(scenarios)('%s (%s)', async (_name, feed, fault, play) => {
    const before = await world.contents()
    play(world)

    const report = await world.run(feed)

    expect(report.outcome).toMatch(/failed|refused/)
    expect(report.fault).toMatch(fault)
    expect(report.written).toBe(0)
    expect(await world.contents()).toEqual(before)
    expect(await world.machine.look('select outcome, fault from source.feed_run order by id desc limit 1')).toEqual([
      { outcome: report.outcome, fault: report.fault },
    ])
    world.serve(MENDED[feed], manners.answers(404))
  })
}
