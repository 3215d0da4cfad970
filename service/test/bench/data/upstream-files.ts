// Writes generated upstream files for `vis-server sync --from`, with any number of records. Lengths, scores, dates and
// word frequencies have the distributions of real records (shape.ts).
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeCveList } from './cve-list-file.ts'
import { writeEpss } from './epss-file.ts'
import type { DatasetOptions } from './generated-records.ts'
import { writeKev } from './kev-file.ts'
import { writeNvd } from './nvd-files.ts'
import { writePoc } from './poc-file.ts'

/** The same options give the same bytes. Every record is in the files of NVD, of the CVE List or of both. */
export async function writeUpstreamFiles(folder: string, options: DatasetOptions): Promise<void> {
  await mkdir(join(folder, 'nvd'), { recursive: true })
  await writeNvd(join(folder, 'nvd'), options)
  await writeCveList(folder, options)
  await writeKev(folder, options)
  await writeEpss(folder, options)
  await writePoc(folder, options)
}
