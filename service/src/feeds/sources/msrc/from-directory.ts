// Imports Microsoft's monthly documents from files that an operator placed in a directory.
import { type Delivery, type FetchContext, NoFilesError } from '../../feed.ts'
import { listFiles } from '../../formats/directory.ts'
import { type MsrcRecord, readDocumentHeader, readVulnerabilities } from './document.ts'
import { parseMonth } from './month.ts'

const FILE_NAME = /^(?:msrc-)?(\d{4}-[A-Za-z]{3}(?:-[A-Z])?)\.json(?:\.gz)?$/

export async function* fetchFromDirectory(
  directory: string,
  context: FetchContext,
): AsyncGenerator<Delivery<MsrcRecord>> {
  const found = await listFiles(directory, 'msrc', FILE_NAME)
  const files = found.flatMap((file) => {
    const month = parseMonth(FILE_NAME.exec(file.name)?.[1] ?? '')
    return month ? [{ ...file, month }] : []
  })
  if (files.length === 0)
    throw new NoFilesError(
      `Neither ${directory} nor its folder msrc has a document of Microsoft. Expected files such as msrc-2024-Aug.json.`,
    )
  files.sort((left, right) => left.month.ordinal - right.month.ordinal)
  const total = files.reduce((bytes, each) => bytes + each.bytes, 0)
  let before = 0
  for (const file of files) {
    const { header, count } = await readDocumentHeader(file, file.month)
    if (count === 0) context.notice(`${file.name} lists no vulnerabilities`)
    yield {
      label: file.name,
      kind: 'delta',
      upstreamAt: header.revisedAt,
      cursor: context.cursor,
      bytes: { before, own: file.bytes, total },
      records: (onBytes) => readVulnerabilities(file, header, onBytes),
    }
    before += file.bytes
  }
}
