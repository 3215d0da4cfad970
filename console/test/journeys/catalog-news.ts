// News for the catalog of the journeys: a publication, and the evaluator that tells it.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSession } from '../../../service/src/database/session.ts'
import { ROUND_LIMITS, runRound } from '../../../service/src/notify/evaluate/round.ts'
import { createSpanRegistry } from '../../../service/src/notify/evaluate/spans.ts'
import { importFolder } from '../../../service/test/support/catalog/load-catalog.ts'
import { SAMPLE_TIME } from './journey-setup.ts'

const KEV = 'known_exploited_vulnerabilities.json'
const SAMPLE_KEV = new URL(`../../../service/sample/${KEV}`, import.meta.url)

/** Publishes the catalog with one more entry in CISA's KEV. */
export async function addToKev(databaseUrl: string, cveId: string): Promise<void> {
  const kev = JSON.parse(await readFile(SAMPLE_KEV, 'utf8'))
  const [first] = kev.vulnerabilities
  const added = { ...first, cveID: cveId, dateAdded: '2026-08-21', dueDate: '2026-09-11' }
  const vulnerabilities = [...kev.vulnerabilities, added]
  const folder = await mkdtemp(join(tmpdir(), 'vis-journeys-'))
  try {
    await writeFile(
      join(folder, KEV),
      JSON.stringify({
        ...kev,
        catalogVersion: '2026.08.22',
        dateReleased: '2026-08-21T17:59:00Z',
        count: vulnerabilities.length,
        vulnerabilities,
      }),
    )
    await importFolder(databaseUrl, folder, SAMPLE_TIME)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Judges all changes of the catalog, as `vis-server worker` does. The first call only notes where the log ends. */
export async function judgeWatches(databaseUrl: string): Promise<void> {
  const [accounts, catalog] = [openSession(databaseUrl, 'notify'), openSession(databaseUrl, 'notify-catalog')]
  const registry = createSpanRegistry((watch, error) => {
    throw new Error(`watch ${watch} cannot be judged`, { cause: error })
  })
  try {
    for (let result = 'judged', mark: string | undefined; result === 'judged' || result === 'gap'; ) {
      const round = await runRound({
        accounts,
        catalog: catalog.db,
        registry,
        mark,
        keepsWatches: false,
        limits: ROUND_LIMITS,
      })
      mark = round.mark ?? mark
      result = round.result
    }
  } finally {
    await accounts.close()
    await catalog.close()
  }
}
