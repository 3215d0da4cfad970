// Runs the document checker on a small temporary repository, in which each test plants one fault.
import { describe, expect, it } from 'vitest'
import { checkDocs } from '../../../tools/check-docs.ts'
import { writeTemporaryDirectory } from '../feeds/temporary-files.ts'

const FILES = {
  'package.json': '{ "scripts": { "check": "true", "test": "true", "test:long": "true" } }',
  'service/src/api/register.ts': '',
  'service/src/api/endpoints/ping/endpoint.ts': '',
  'service/test/support/api.ts': '',
  'service/migrations/catalog/0001_feeds_and_datasets.sql': '',
  'docs/feeds.md': '# Feeds\n\n## KEV: `kev_entry`, daily\n\n## Twice\n\n## Twice\n\n<a id="by-hand"></a>\n',
  '.env.example': '',
}

async function check(markdown: string, path = 'docs/planted.md') {
  return checkDocs(await writeTemporaryDirectory({ ...FILES, [path]: markdown }))
}

const fence = (code: string) => `\`\`\`sh\n${code}\n\`\`\`\n`

describe('Documentation checker', () => {
  it.each([
    ['a link', '[feeds](feeds.md)'],
    ['a link that begins with ../', '[code](../service/src/api/register.ts)'],
    ['a link from the root of the repository', '[feeds](/docs/feeds.md)'],
    ['a link to a heading', '[KEV](feeds.md#kev-kev_entry-daily)'],
    ['a link to the second of two equal headings', '[KEV](feeds.md#twice-1)'],
    ['a link to an HTML anchor', '[KEV](feeds.md#by-hand)'],
    ['a link to a heading in the same document', '# Here we are\n\n[here](#here-we-are)'],
    ['a link with a separate definition', '[feeds]\n\n[feeds]: feeds.md'],
    ['a path from the root of the repository', '`service/src/api/register.ts`'],
    ['a path with a line number', '`service/src/api/register.ts:12`'],
    ['a path relative to service/src', '`api/register.ts`'],
    ['a path relative to service', '`test/support/api.ts`'],
    ['the path of a folder', '`api/endpoints/`'],
    ['a file name without a folder', '`endpoint.ts`'],
    ['a file name that begins with a dot', '`.env.example`'],
    ['a folder name without a path', '`endpoints/`'],
    ['an npm script', '`npm run test:long`'],
    ['an npm script in its short form', fence('npm test && npm run check -- --all')],
    ['a vis-server command', '`vis-server migrate`'],
    ['a vis-server subcommand', fence('$ npx vis-server accounts create --plan pro')],
  ])('accepts %s if the target exists', async (_what, markdown) => {
    const { references, broken } = await check(markdown)

    expect(broken).toEqual([])
    expect(references).toBeGreaterThan(0)
  })

  it.each([
    ['a link', '[feeds](feed.md)', 'feed.md'],
    ['a link with a separate definition', '[feeds]\n\n[feeds]: feed.md "Feeds"', 'feed.md'],
    ['a link to a heading', '[KEV](feeds.md#kev)', 'feeds.md#kev'],
    ['a link to a heading in the same document', '[here](#there)', '#there'],
    ['a path', '`service/src/api/registry.ts`', 'service/src/api/registry.ts'],
    ['a path relative to service/src', '`api/registry.ts`', 'api/registry.ts'],
    ['the path of a folder', '`service/lib/`', 'service/lib/'],
    ['a file name without a folder', '`handler.ts`', 'handler.ts'],
    ['an npm script', '`npm run verify`', 'npm run verify'],
    ['an npm script in a code block', fence('npm start'), 'npm start'],
    ['a vis-server command', '`vis-server launch`', 'launch'],
    ['a vis-server subcommand', fence('npx vis-server keys forge --account 1'), 'keys forge'],
  ])('reports %s if the target does not exist', async (_what, markdown, reference) => {
    const { broken } = await check(`First line.\n\n${markdown}`)

    expect(broken).toEqual([
      {
        at: expect.stringMatching(/^docs\/planted\.md:[3-5]$/),
        reference,
        fault: expect.stringMatching(/^.{20,}(\.|-->)$/),
      },
    ])
  })

  it.each([
    ['a link', '[spec](../../spec.md)', '../../spec.md'],
    ['a link to an existing folder', '[all](../..)', '../..'],
    ['a code span', '`../../elsewhere/data`', '../../elsewhere/data'],
    ['a code span that contains more than a path', '`DATA=../../elsewhere npm test`', '../../elsewhere'],
    ['a command in a code block', fence('ls ../../elsewhere'), '../../elsewhere'],
  ])('reports %s with a path that leaves the repository', async (_what, markdown, reference) => {
    const { broken } = await check(markdown)

    expect(broken).toMatchObject([{ reference, fault: expect.stringMatching(/^The path leaves the repository/) }])
  })

  it.each([
    ['a code span', '`../service/src/api/register.ts`'],
    ['a link', '[the folder of documents](../docs)'],
    ['an import in a code block', fence("import { x } from '../../../contract/x.ts'")],
  ])('accepts %s with a path that begins with ../ and stays in the repository', async (_what, markdown) => {
    expect((await check(markdown)).broken).toEqual([])
  })

  it('reports a path that begins with ../ and does not exist', async () => {
    const { broken } = await check('`../service/src/api/registry.ts`')

    expect(broken).toMatchObject([{ reference: '../service/src/api/registry.ts' }])
  })

  it('reports a citation of a decision that has no entry', async () => {
    const { citations, broken } = await check('The charge comes first (decision A6).')

    expect(citations).toBe(1)
    expect(broken).toEqual([
      {
        at: 'docs/planted.md:1',
        reference: 'A6',
        fault: 'docs/decisions.md has no entry A6. Correct the id, or write the entry.',
      },
    ])
  })

  it('accepts a missing file if a comment in the document says that it is not in the repository', async () => {
    const markdown =
      'Write `api/motto.ts` and `motto.test.ts`.\n<!-- not in the repository: api/motto.ts, motto.test.ts -->'

    expect(await check(markdown)).toMatchObject({ references: 2, broken: [] })
  })

  it('reports an existing file that a comment in the document calls absent', async () => {
    const { broken } = await check('<!-- not in the repository: api/register.ts -->')

    expect(broken).toMatchObject([{ at: 'docs/planted.md:1', reference: 'api/register.ts' }])
  })

  it.each([
    ['URLs and mail addresses', '[site](https://example.org/none.md) and [mail](mailto:nobody@example.org)'],
    ['URL paths', '`/api/v1/cves`, `/docs`, `/health`, `/metrics`, `/api/v1/cves/{cveId}`'],
    ['media types and packages', '`application/json`, `@redocly/cli`, `node:fs/promises`'],
    ['placeholders', '`migrations/NNNN_subject.sql`, `feeds/x`, `endpoints/<name>/`, `feeds/*.ts`, `docs/…/it.md`'],
    ['files that tools generate', '`service/dist/main.js`, `node_modules/pg/index.js`'],
    ['code spans that are not paths', '`select a/b from c`, `10.0.0.0/8`, `I/O`, `process.env`, `npm ci`'],
    ['paths in code blocks', fence('cat service/src/nowhere.ts')],
    ['links in code spans', '`[text](nowhere.md)`'],
    ['references in HTML comments', '<!-- [text](nowhere.md) `nowhere.ts` -->'],
  ])('does not check %s', async (_what, markdown) => {
    expect((await check(markdown)).broken).toEqual([])
  })
})

describe('Documentation checker: checked files', () => {
  it('counts the documents that exist and accepts missing ones', async () => {
    expect(await checkDocs(await writeTemporaryDirectory(FILES))).toEqual({
      files: 1,
      references: 0,
      citations: 0,
      broken: [],
    })
  })

  it.each([
    'README.md',
    'CHANGELOG.md',
    'docs/adr/0001-first.md',
    'conformance/README.md',
    'service/migrations/README.md',
  ])('checks %s', async (path) => {
    const { files, broken } = await check('[nowhere](nowhere.md)', path)

    expect(files).toBe(2)
    expect(broken).toMatchObject([{ at: `${path}:1` }])
  })
})
