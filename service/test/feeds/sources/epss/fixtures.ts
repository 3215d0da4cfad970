// Builds EPSS files in the format of FIRST, and a harness that imports them.
import type { RunDependencies } from '../../../../src/feeds/engine/run.ts'
import { epssFeed } from '../../../../src/feeds/sources/epss/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'

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

export async function createEpssHarness() {
  const harness = await createFeedHarness()
  const feed = epssFeed({ baseUrl: 'https://epss.example/' })
  return {
    ...harness,
    /** Runs the EPSS feed on a directory that contains only the given file. */
    importScores: (content: string, changed?: Partial<RunDependencies>) =>
      harness.importFiles(feed, { 'epss_scores-current.csv': content }, changed),
    /** Returns the stored EPSS scores as `id score percentile model`. */
    listStored: async () => {
      const rows = await harness.selectRows<{ text: string }>(`
        select concat_ws(' ', cve_id, score, percentile, model_version) as text
          from source.epss_score
         order by cve_id
      `)
      return rows.map(({ text }) => text)
    },
    /** Returns score date and model version of the stored EPSS release. */
    getRelease: () => harness.selectRows('select scored_at, model_version from source.epss_release'),
  }
}
