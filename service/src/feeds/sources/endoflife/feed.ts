// Feed of endoflife.date: until when the makers of products support their releases
// (https://endoflife.date/docs/api/v1/).
import { sql } from 'kysely'
import { Type } from 'typebox'
import { address } from '../../../domain/setting.ts'
import { collectUndatedFile, fetchUndatedFile, type UndatedFile } from '../../download/undated-file.ts'
import { type Feed, FeedError, type Reading } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonElements } from '../../formats/json-elements.ts'
import { compileSchema } from '../../schema-check.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { type EndOfLifeRow, normaliseProduct } from './normalise.ts'

const MEBIBYTE = 1024 * 1024
/** About twenty times the size in 2026. */
const MAX_BYTES = 128 * MEBIBYTE

export const endOfLifeDefinition = defineFeed(
  { url: address('FEED_ENDOFLIFE_URL', 'https://endoflife.date/api/v1/products/full') },
  endOfLifeFeed,
)

export function endOfLifeFeed(settings: { readonly url: string }): Feed<unknown, EndOfLifeRow> {
  const list: UndatedFile<unknown> = {
    feed: 'endoflife',
    name: 'endoflife.json',
    url: settings.url,
    maxDownloadBytes: MAX_BYTES,
    inDirectory: /^endoflife\.json(?:\.gz)?$/,
    read: readProducts,
  }
  return createFeed('endoflife', {
    fetch: (context) => fetchUndatedFile(context, list),
    collect: collectUndatedFile(list),
    normalise: normaliseProduct,
    store: stagedStore<EndOfLifeRow>({
      table: 'end_of_life',
      key: ['product'],
      columns: {
        product: (row) => row.product,
        label: (row) => row.label,
        names: (row) => row.names,
        cycles: (row) => JSON.stringify(row.cycles),
      },
      removal: { rule: 'delete', rejected: { column: sql`held.product`, ids: (subjects) => subjects } },
    }),
  })
}

const HEADER = compileSchema(Type.Object({ total: Type.Integer({ minimum: 1 }) }))

async function* readProducts(path: string, onBytes: (count: number) => void): AsyncGenerator<Reading<unknown>> {
  await using list = await readJsonElements(readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes), {
    member: 'result',
    maxElementBytes: 4 * MEBIBYTE,
  })
  let length = 0
  for await (const product of list.elements) {
    length += 1
    yield product
  }
  const members = list.members()
  if (!HEADER.matches(members)) throw new FeedError(HEADER.describeMismatch(members))
  if (members.total !== length)
    throw new FeedError(`its total is ${members.total}, but its list has ${length} products`)
}
