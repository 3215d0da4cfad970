// Builds EPSS files in the format of FIRST, and a harness that imports them.
import type { RunDependencies, RunReport } from '../../../../src/feeds/engine/run.ts'
import { epssFeed } from '../../../../src/feeds/sources/epss/feed.ts'
import { createFeedHarness, type FeedHarness } from '../../feed-harness.ts'
import { writeTemporaryDirectory } from '../../temporary-files.ts'

export const MODEL = 'v2026.06.15'
export const SCORED = '2026-08-20T12:03:00Z'

export interface Release {
  readonly model?: string
  readonly scored?: string
}

/** Builds an EPSS file from lines such as `CVE-2024-0001,0.5,0.9`. */
export function buildFile(lines: readonly string[], { model = MODEL, scored = SCORED }: Release = {}): string {
  return [`#model_version:${model},score_date:${scored}`, 'cve,epss,percentile', ...lines, ''].join('\n')
}

export function buildLines(count: number, score = '0.01000'): string[] {
  return Array.from({ length: count }, (_, index) => `CVE-2024-${10_000 + index},${score},0.50000`)
}

export interface EpssHarness extends FeedHarness {
  /** Runs the EPSS feed on a directory that contains only the given file. */
  importScores(content: string, changed?: Partial<RunDependencies>): Promise<RunReport>
  /** Returns the stored EPSS scores as `id score percentile model`. */
  listStored(): Promise<string[]>
  /** Returns score date and model version of the stored EPSS release. */
  getRelease(): Promise<unknown[]>
  /** Deletes all rows that the EPSS feed has stored. */
  reset(): Promise<void>
}

export async function createEpssHarness(): Promise<EpssHarness> {
  const harness = await createFeedHarness()
  const selectTexts = async (statement: string) =>
    (await harness.selectRows<{ text: string }>(statement)).map(({ text }) => text)
  return {
    ...harness,
    importScores: async (content, changed = {}) => {
      const from = await writeTemporaryDirectory({ 'epss_scores-current.csv': content })
      return harness.run(epssFeed({ baseUrl: 'https://epss.example/' }), { from, ...changed })
    },
    listStored: () =>
      selectTexts(`
        select concat_ws(' ', cve_id, score, percentile, model_version) as text
          from source.epss_score
         order by cve_id
      `),
    getRelease: () => harness.selectRows('select scored_at, model_version from source.epss_release'),
    reset: async () => {
      await harness.selectRows(
        'truncate source.epss_score, source.epss_release, source.publication_queue, source.feed cascade',
      )
      await harness.selectRows("update catalog.dataset set table_count = 0 where name = 'epss'")
    },
  }
}
