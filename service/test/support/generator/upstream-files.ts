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

/**
 * Writes the files of all upstreams. Equal options give equal files. Every record is in the NVD files, in the CVE List
 * file or in both.
 */
export async function writeUpstreamFiles(folder: string, options: DatasetOptions): Promise<void> {
  await mkdir(join(folder, 'nvd'), { recursive: true })
  await writeNvd(join(folder, 'nvd'), options)
  await writeCveList(folder, options)
  await writeKev(folder, options)
  await writeEpss(folder, options)
  await writePoc(folder, options)
}
