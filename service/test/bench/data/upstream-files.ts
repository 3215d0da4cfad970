// Files as the upstreams publish them, in any number of records: what `vis-server sync --from` reads. Nobody wrote the
// texts, but lengths, scores, dates and the frequencies of words are those of the real ones (shape.ts).
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeCveList } from './cve-list-file.ts'
import { writeEpss } from './epss-file.ts'
import { writeKev } from './kev-file.ts'
import { writeNvd } from './nvd-files.ts'
import { writePoc } from './poc-file.ts'
import type { Wanted } from './record-facts.ts'

/** The same options give the same bytes. Every record is published: at NVD, in the CVE List or in both. */
export async function writeUpstreamFiles(folder: string, wanted: Wanted): Promise<void> {
  await mkdir(join(folder, 'nvd'), { recursive: true })
  await writeNvd(join(folder, 'nvd'), wanted)
  await writeCveList(folder, wanted)
  await writeKev(folder, wanted)
  await writeEpss(folder, wanted)
  await writePoc(folder, wanted)
}
