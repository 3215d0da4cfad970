// Reads notices that an operator wrote: one per line, or a JSON file with one notice or a list of notices.
import { FeedError, type Reading, type Rejected } from '../../feed.ts'
import { readDecompressed, readWholeFile } from '../../formats/decompress.ts'
import type { FoundFile } from '../../formats/directory.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { readJsonLines } from '../../formats/json-lines.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { readText } from '../../schema-check.ts'
import { parseNoticeAddress, type WrittenNotice } from './notice.ts'

const MAX_FILE_BYTES = 5 * 1024 * 1024
const MAX_NOTICE_BYTES = 256 * 1024

interface WrittenNotices {
  readonly notices: readonly WrittenNotice[]
  readonly rejections: readonly Rejected[]
}

/** A second notice with the same id is rejected, because only one of them could be stored. */
export async function readWrittenNotices(files: readonly FoundFile[]): Promise<WrittenNotices> {
  const [notices, rejections, places]: [WrittenNotice[], Rejected[], Map<string, string>] = [[], [], new Map()]
  const add = (notice: WrittenNotice) => {
    const id = parseNoticeAddress(readText(notice.written, 'url') ?? '')?.id
    const first = id === undefined ? undefined : places.get(id)
    if (first !== undefined)
      return rejections.push({ rejected: notice.place, reason: `the url ends in ${id}, like that of ${first}` })
    if (id !== undefined) places.set(id, notice.place)
    return notices.push(notice)
  }
  for (const file of files)
    for await (const reading of readFile(file))
      if ('raw' in reading) add(reading.raw)
      else rejections.push(reading)
  return { notices, rejections }
}

type Readings = AsyncGenerator<Reading<WrittenNotice>, void, undefined>

function readFile(file: FoundFile): Readings {
  return nameErrors(file.name, file.name.endsWith('.json') ? readJsonFile(file) : readLinesFile(file))
}

async function* readLinesFile({ path, name }: FoundFile): Readings {
  const lines = readJsonLines(readDecompressed(path, { maxBytes: MAX_FILE_BYTES }), { maxLineBytes: MAX_NOTICE_BYTES })
  for await (const each of lines)
    yield 'raw' in each
      ? { raw: { place: `${name} line ${each.line}`, written: each.raw } }
      : { ...each, rejected: `${name} ${each.rejected}` }
}

async function* readJsonFile({ path, name }: FoundFile): Readings {
  const parsed = parseRecord(await readWholeFile(path, { maxBytes: MAX_FILE_BYTES }))
  if ('error' in parsed) throw new FeedError(parsed.error)
  if (!Array.isArray(parsed.value)) return yield { raw: { place: name, written: parsed.value } }
  if (parsed.value.length === 0) throw new FeedError('the list is empty')
  for (const [index, written] of parsed.value.entries())
    yield { raw: { place: `${name} notice ${index + 1}`, written } }
}
