// Months as somebody carried them here.
import { type Delivery, NoFilesError, type FetchContext } from '../../feed.ts'
import { filesIn } from '../../formats/directory.ts'
import { type MsrcRecord, openDocument, recordsOf } from './document.ts'
import { parseMonth } from './month.ts'

const FILE = /^(?:msrc-)?(\d{4}-[A-Za-z]{3}(?:-[A-Z])?)\.json(?:\.gz)?$/

export async function* fromDirectory(directory: string, context: FetchContext): AsyncGenerator<Delivery<MsrcRecord>> {
  const found = await filesIn(directory, 'msrc', FILE)
  const files = found.flatMap((file) => {
    const month = parseMonth(FILE.exec(file.name)?.[1] ?? '')
    return month ? [{ ...file, month }] : []
  })
  if (files.length === 0)
    throw new NoFilesError(
      `There is no month of Microsoft's in ${directory} or in its folder msrc: they are called msrc-2024-Aug.json and the like.`,
    )
  files.sort((left, right) => left.month.ordinal - right.month.ordinal)
  const total = files.reduce((bytes, each) => bytes + each.bytes, 0)
  let before = 0
  for (const file of files) {
    const { issue, count } = await openDocument(file, file.month)
    if (count === 0) context.notice(`${file.name} lists no vulnerability`)
    yield {
      label: file.name,
      kind: 'delta',
      upstreamAt: issue.revisedAt,
      // A carried file says nothing about how far the network has been read.
      cursor: context.cursor,
      bytes: { before, own: file.bytes, total },
      records: (onBytes) => recordsOf(file, issue, onBytes),
    }
    before += file.bytes
  }
}
