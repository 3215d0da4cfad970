// Scores in the form of FIRST, and a feed that reads them.

import type { RunReport, RunTools } from '../../../../src/feeds/engine/run.ts'
import { epssFeed } from '../../../../src/feeds/sources/epss/feed.ts'
import { type Machine, testMachine } from '../../feed-harness.ts'
import { directoryWith } from '../../small-files.ts'

export const MODEL = 'v2026.06.15'
export const SCORED = '2026-08-20T12:03:00Z'

export interface Release {
  readonly model?: string
  readonly scored?: string
}

/** Each line as `CVE-2024-0001,0.5,0.9`. */
export function scores(lines: readonly string[], { model = MODEL, scored = SCORED }: Release = {}): string {
  return [`#model_version:${model},score_date:${scored}`, 'cve,epss,percentile', ...lines, ''].join('\n')
}

export function lines(count: number, score = '0.01000'): string[] {
  return Array.from({ length: count }, (_, index) => `CVE-2024-${10_000 + index},${score},0.50000`)
}

export interface EpssMachine extends Machine {
  /** From a directory with nothing but this file in it. */
  read(content: string, changed?: Partial<RunTools>): Promise<RunReport>
  /** As `id score percentile model`. */
  stored(): Promise<string[]>
  /** Of when the scores are, and of which model. */
  release(): Promise<unknown[]>
  queued(): Promise<string[]>
  /** As if nothing had ever been read. */
  reset(): Promise<void>
}

export async function epssMachine(): Promise<EpssMachine> {
  const machine = await testMachine()
  const texts = async (statement: string) => (await machine.look<{ text: string }>(statement)).map(({ text }) => text)
  return {
    ...machine,
    read: async (content, changed = {}) => {
      const from = await directoryWith({ 'epss_scores-current.csv': content })
      return machine.run(epssFeed({ baseUrl: 'https://epss.example/' }), { from, ...changed })
    },
    stored: () =>
      texts(`
        select concat_ws(' ', cve_id, score, percentile, model_version) as text
          from source.epss_score
         order by cve_id
      `),
    release: () => machine.look('select scored_at, model_version from source.epss_release'),
    queued: () => texts("select cve_id as text from source.publication_queue where feed = 'epss' order by seq"),
    reset: async () => {
      await machine.look(
        'truncate source.epss_score, source.epss_release, source.publication_queue, source.feed cascade',
      )
      await machine.look("update catalog.dataset set table_count = 0 where name = 'epss'")
    },
  }
}
