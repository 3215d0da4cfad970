// Runs every recipe in the guide under failures: none may exit as if it had succeeded, and none may lose the files of
// its previous run.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createReaderFolder,
  type Figure,
  readFigures,
  runFigure,
} from '../../service/test/spec/documentation/guide-figures.ts'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { freshDatasets, publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { createCuttingProxy } from '../../service/test/support/network/cutting-proxy.ts'
import { startTestService, type TestService } from '../../service/test/support/service.ts'

const service = await startTestService()
const emptyService = await startTestService()
const [key, poorKey] = [createTestKey(), createTestKey()]
await service.given(account('pro').withKey(key), account('pro').withKey(poorKey).withCreditsLeft(0), ...freshDatasets)
await emptyService.given(account('pro').withKey(key), ...freshDatasets)
await publishExamples(service.database.url)

const getUrl = ({ api }: TestService) => `http://127.0.0.1:${api.port}`
const WORKING = { VIS_URL: getUrl(service), VIS_API_KEY: key.key }

interface Recipe {
  readonly name: string
  /** Files that the next run or another program reads. */
  readonly files: readonly string[]
  /** Number of complete answers before the one that is cut off, in a run that fails half-way. */
  readonly wholeAnswers: number
  /** Exit codes for the failures in the order of FAILURES. */
  readonly codes: readonly number[]
}

const FAILURES = [
  'a wrong key',
  'an unreachable service',
  'an empty list',
  'no credits',
  'a run that fails half-way',
] as const
const EMPTY = FAILURES.indexOf('an empty list')

/**
 * The recipes in page order. curl has the exit codes 7 (no connection), 18 (answer cut) and 22 (error response). A
 * search without results is not a failure, and /health needs neither key nor credits.
 */
const RECIPES: readonly Recipe[] = [
  { name: 'scan with visctl', files: [], wholeAnswers: 0, codes: [1, 1, 2, 1, 1] },
  { name: 'scan with curl', files: ['ranking.json'], wholeAnswers: 0, codes: [22, 7, 22, 22, 18] },
  { name: 'triage with curl', files: ['batch.json'], wholeAnswers: 0, codes: [22, 7, 22, 22, 18] },
  { name: 'triage with vis-sdk', files: [], wholeAnswers: 0, codes: [1, 1, 1, 1, 1] },
  { name: 'gate on a file', files: [], wholeAnswers: 0, codes: [2, 2, 2, 2, 2] },
  { name: 'gate on a search', files: [], wholeAnswers: 1, codes: [2, 2, 2, 2, 2] },
  { name: 'watch-kev', files: ['kev.seen'], wholeAnswers: 1, codes: [1, 1, 1, 1, 1] },
  { name: 'criticals', files: ['criticals.csv'], wholeAnswers: 1, codes: [1, 1, 0, 1, 1] },
  { name: 'next', files: [], wholeAnswers: 0, codes: [1, 1, 0, 1, 1] },
  { name: 'news', files: [], wholeAnswers: 0, codes: [1, 1, 0, 1, 1] },
  { name: 'poll', files: ['events.json'], wholeAnswers: 0, codes: [1, 1, 0, 1, 1] },
  { name: 'mirror', files: ['mirror.ndjson', 'mirror.since'], wholeAnswers: 1, codes: [1, 1, 0, 1, 1] },
  { name: 'age', files: ['health.json'], wholeAnswers: 0, codes: [0, 7, 0, 0, 18] },
]

let figures: readonly Figure[] = []
/** Folder with the files of a previous run of every recipe. */
let previousRun = ''

beforeAll(async () => {
  const [list, ...recipes] = await readFigures(service.api, '/docs/guide/recipes')
  figures = recipes
  previousRun = await createReaderFolder()
  for (const figure of list ? [list, ...recipes] : recipes) await runFigure(figure, previousRun, WORKING)
  // All CVEs in the catalog were modified since this day, so the next run of the recipe has several pages to read.
  await writeFile(join(previousRun, 'mirror.since'), '2021-01-01\n')
}, 120_000)

async function getSettings(failure: number, wholeAnswers: number) {
  switch (FAILURES[failure]) {
    case 'a wrong key':
      return { ...WORKING, VIS_API_KEY: 'vis_live_nonsense' }
    case 'an unreachable service':
      return { ...WORKING, VIS_URL: 'http://127.0.0.1:1' }
    case 'an empty list':
      return { ...WORKING, VIS_URL: getUrl(emptyService) }
    case 'no credits':
      return { ...WORKING, VIS_API_KEY: poorKey.key }
    default:
      return { ...WORKING, VIS_URL: await createCuttingProxy(WORKING.VIS_URL, wholeAnswers, 1) }
  }
}

/** Runs a recipe in a copy of the previous run's folder. Returns the exit code and the content of the files. */
async function runRecipe(at: number, failure: number) {
  const folder = await createReaderFolder()
  const { files = [], wholeAnswers = 0 } = RECIPES[at] ?? {}
  for (const file of ['cves.txt', 'scan.json', ...files]) await cp(join(previousRun, file), join(folder, file))
  if (failure === EMPTY) {
    await writeFile(join(folder, 'cves.txt'), '')
    await writeFile(join(folder, 'scan.json'), '{ "Results": [] }')
  }
  const figure = figures[at] ?? { kind: 'commands', text: 'exit 99' }
  const { code } = await runFigure(figure, folder, await getSettings(failure, wholeAnswers))
  return { code, files: await readAll(folder, files) }
}

const readAll = (folder: string, files: readonly string[]) =>
  Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))

describe('Recipes in the guide', () => {
  it('are all in the table in this test', () => {
    expect(figures).toHaveLength(RECIPES.length)
  })

  it.each(RECIPES.map((recipe, at) => [recipe.name, at] as const))(
    '"%s" fails and keeps its files if a call fails',
    { timeout: 400_000 },
    async (_, at) => {
      const { files = [], codes = [] } = RECIPES[at] ?? {}
      const before = await readAll(previousRun, files)
      const outcomes = await Promise.all(FAILURES.map((_, failure) => runRecipe(at, failure)))

      expect(outcomes.map(({ code }) => code)).toEqual(codes)
      for (const { code, files: after } of outcomes) if (code !== 0) expect(after).toEqual(before)
      expect(before.every((content) => content !== '')).toBe(true)
    },
  )

  it('"mirror" keeps its copy if no CVE was modified', async () => {
    const at = RECIPES.findIndex(({ name }) => name === 'mirror')
    const { code, files } = await runRecipe(at, EMPTY)

    expect([code, files[0]]).toEqual([0, await readFile(join(previousRun, 'mirror.ndjson'), 'utf8')])
  })
})
