// Writes the files of a replay: compressed lines, and NVD's container around records.

import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

const LEVEL = { level: 1 }

export async function* readLines(path: string): AsyncGenerator<string, void, undefined> {
  for await (const line of createInterface(createReadStream(path).pipe(createGunzip()))) if (line !== '') yield line
}

export async function writeGzip(path: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await pipeline(chunks, createGzip(LEVEL), createWriteStream(path))
}

const CHUNK = 4_000_000

/** Collects lines per file on disk, so that the memory does not hold the records of a week. */
export class LineParts {
  readonly #folder: string
  readonly #waiting = new Map<string, { text: string; count: number }>()
  readonly #counts = new Map<string, number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async add(name: string, line: string): Promise<void> {
    const part = this.#waiting.get(name) ?? { text: '', count: 0 }
    this.#waiting.set(name, part)
    part.text += `${line}\n`
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if (part.text.length > CHUNK) await this.#flush(name, part)
  }

  /** Yields the lines that were added to each file. */
  async *files(): AsyncGenerator<{ readonly name: string; readonly count: number; lines(): AsyncIterable<string> }> {
    for (const [name, part] of this.#waiting) await this.#flush(name, part)
    for (const [name, count] of this.#counts) {
      const path = join(this.#folder, name)
      yield { name, count, lines: () => readText(path) }
      await rm(path)
    }
  }

  async #flush(name: string, part: { text: string }): Promise<void> {
    const path = join(this.#folder, name)
    if (!existsSync(dirname(path))) await mkdir(dirname(path), { recursive: true })
    await appendFile(path, part.text)
    part.text = ''
  }
}

/** A generator, because an interface that exists before its first line is asked for loses lines. */
async function* readText(path: string): AsyncGenerator<string, void, undefined> {
  yield* createInterface(createReadStream(path))
}

/** Writes records, one JSON text each, as NVD's files contain them. */
export async function writeContainer(
  path: string,
  {
    count,
    timestamp,
    records,
  }: { readonly count: number; readonly timestamp: string; readonly records: AsyncIterable<string> },
): Promise<void> {
  async function* chunks() {
    const head = {
      resultsPerPage: count,
      startIndex: 0,
      totalResults: count,
      format: 'NVD_CVE',
      version: '2.0',
      timestamp,
    }
    yield `${JSON.stringify(head).slice(0, -1)},"vulnerabilities":[`
    let separator = '\n'
    for await (const record of records) {
      yield `${separator}{"cve":${record}}`
      separator = ',\n'
    }
    yield '\n]}\n'
  }
  await writeGzip(path, chunks())
}
