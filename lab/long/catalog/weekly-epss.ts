// Weekly crawls of EPSS scores, and their conversion to the files that FIRST publishes for single days. The first crawl
// is complete; each later file has only the CVEs whose score changed or is new, so that the percentile of the others is
// not known on that day. The files name no model, and do not say which CVEs lost their score.
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip, createGzip } from 'node:zlib'
import { type CveId, parseCanonicalCveId } from '../../../service/src/domain/cve-id.ts'
import { toUnits } from '../../../service/src/domain/epss-series/codec.ts'

/** A changed or new score of a week, in units of 0.00001. */
interface WeeklyScore {
  readonly id: CveId
  readonly score: number
  readonly percentile: number
}

export interface Week {
  readonly day: string
  readonly changed: readonly WeeklyScore[]
}

const FILE_NAME = /^epss_(?:full|delta)-(\d{4}-\d{2}-\d{2})\.csv\.gz$/

/** Reads the weeks in order. */
export async function* readWeeks(folder: string): AsyncGenerator<Week, void, undefined> {
  const names = (await readdir(folder)).filter((name) => FILE_NAME.test(name))
  const days = new Map(names.map((name) => [FILE_NAME.exec(name)?.[1] ?? '', name]))
  for (const day of [...days.keys()].toSorted())
    yield { day, changed: await Array.fromAsync(readFile(join(folder, days.get(day) ?? ''))) }
}

async function* readFile(path: string): AsyncGenerator<WeeklyScore, void, undefined> {
  for await (const line of createInterface(createReadStream(path).pipe(createGunzip()))) {
    const [text = '', score = '', percentile = ''] = line.split(',')
    const id = parseCanonicalCveId(text)
    if (id) yield { id, score: toUnits(Number(score)), percentile: toUnits(Number(percentile)) }
  }
}

/** Writes one file per week in the form of FIRST's files before 2022, with an empty percentile where it is not known. */
export async function writeDailyFiles(folder: string, target: string): Promise<readonly string[]> {
  const scores = new Map<CveId, number>()
  const days: string[] = []
  for await (const { day, changed } of readWeeks(folder)) {
    const percentiles = new Map(changed.map(({ id, percentile }) => [id, percentile]))
    for (const { id, score } of changed) scores.set(id, score)
    const file = createGzip({ level: 1 })
    const written = once(file.pipe(createWriteStream(join(target, `epss_scores-${day}.csv.gz`))), 'finish')
    file.write('cve,epss,percentile\n')
    let chunk = ''
    for (const [id, score] of scores) {
      const percentile = percentiles.get(id)
      chunk += `${id},${formatUnits(score)},${percentile === undefined ? '' : formatUnits(percentile)}\n`
      if (chunk.length < 1_000_000) continue
      if (!file.write(chunk)) await once(file, 'drain')
      chunk = ''
    }
    file.end(chunk)
    await written
    days.push(day)
  }
  return days
}

const formatUnits = (units: number) => (units / 100_000).toFixed(5)
