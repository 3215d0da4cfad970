// Runs scenarios of broken or hostile upstreams and checks that each scenario leaves the stored data unchanged.
import { expect, it } from 'vitest'
import { behaviours } from '../../support/network/upstream.ts'
import { createHostileSetup, type FeedName, type HostileSetup, PATHS } from './setup.ts'

export type Scenario = readonly [name: string, feed: FeedName, error: RegExp, prepare: (setup: HostileSetup) => void]

/**
 * URL paths that are reset to 404 after each scenario, so that the next scenario does not import files of the previous
 * one.
 */
const RESET_PATHS = { kev: PATHS.kev, epss: PATHS.epss, nvd: PATHS.nvd, acsc: PATHS.acsc, cve: PATHS.cveReleases }

/** Tests that the feed run of each scenario fails, stores no data and records its error. */
export async function runScenarios(scenarios: readonly Scenario[]): Promise<void> {
  const setup = await createHostileSetup()
  it.each(scenarios)(
    'a feed stores nothing and records the error when the upstream sends %s (feed %s)',
    async (_name, feed, error, prepare) => {
      const before = await setup.contents()
      prepare(setup)

      const report = await setup.run(feed)

      expect(report.outcome).toMatch(/failed|refused/)
      expect(report.error).toMatch(error)
      expect(report.written).toBe(0)
      expect(await setup.contents()).toEqual(before)
      expect(
        await setup.harness.selectRows('select outcome, fault from source.feed_run order by id desc limit 1'),
      ).toEqual([{ outcome: report.outcome, fault: report.error }])
      setup.serve(RESET_PATHS[feed], behaviours.answers(404))
    },
  )
}
