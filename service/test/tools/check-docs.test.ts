// Documents with one planted fault each, in a small repository made for them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDocs } from '../../../tools/check-docs.ts'

let root = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vis-docs-'))
  await write({
    'package.json': '{ "scripts": { "check": "true", "test": "true", "test:long": "true" } }',
    'service/src/api/register.ts': '',
    'service/src/api/endpoints/ping/endpoint.ts': '',
    'service/test/support/api.ts': '',
    'service/migrations/catalog/0001_schemas.sql': '',
    'docs/feeds.md': '# Feeds\n\n## KEV: `kev_entry`, daily\n\n## Twice\n\n## Twice\n\n<a id="by-hand"></a>\n',
    '.env.example': '',
  })
})

afterAll(() => rm(root, { recursive: true }))

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

async function check(markdown: string, path = 'docs/planted.md') {
  await write({ [path]: markdown })
  const report = await checkDocs(root)
  await rm(join(root, path))
  return report
}

const fence = (code: string) => `\`\`\`sh\n${code}\n\`\`\`\n`

describe('a document', () => {
  it.each([
    ['a link', '[feeds](feeds.md)'],
    ['a link up', '[code](../service/src/api/register.ts)'],
    ['a link from the root', '[feeds](/docs/feeds.md)'],
    ['a link to a heading', '[KEV](feeds.md#kev-kev_entry-daily)'],
    ['a link to the second of two equal headings', '[KEV](feeds.md#twice-1)'],
    ['a link to an anchor set by hand', '[KEV](feeds.md#by-hand)'],
    ['a link to its own heading', '# Here we are\n\n[here](#here-we-are)'],
    ['a link by definition', '[feeds]\n\n[feeds]: feeds.md'],
    ['a path from the root', '`service/src/api/register.ts`'],
    ['a line of a file', '`service/src/api/register.ts:12`'],
    ['a path from service/src', '`api/register.ts`'],
    ['a path from service', '`test/support/api.ts`'],
    ['a folder', '`api/endpoints/`'],
    ['a kind of file', '`endpoint.ts`'],
    ['a file with a dot', '`.env.example`'],
    ['a kind of folder', '`endpoints/`'],
    ['a script', '`npm run test:long`'],
    ['a script with a short form', fence('npm test && npm run check -- --all')],
    ['a command', '`vis-server migrate`'],
    ['a command of a command', fence('$ npx vis-server accounts create --plan pro')],
  ])('may name %s that exists', async (_what, markdown) => {
    const { references, broken } = await check(markdown)

    expect(broken).toEqual([])
    expect(references).toBeGreaterThan(0)
  })

  it.each([
    ['a link', '[feeds](feed.md)', 'feed.md'],
    ['a link by definition', '[feeds]\n\n[feeds]: feed.md "Feeds"', 'feed.md'],
    ['a heading', '[KEV](feeds.md#kev)', 'feeds.md#kev'],
    ['a heading of its own', '[here](#there)', '#there'],
    ['a path', '`service/src/api/registry.ts`', 'service/src/api/registry.ts'],
    ['a short path', '`api/registry.ts`', 'api/registry.ts'],
    ['a folder', '`service/lib/`', 'service/lib/'],
    ['a kind of file', '`handler.ts`', 'handler.ts'],
    ['a script', '`npm run verify`', 'npm run verify'],
    ['a script in a code block', fence('npm start'), 'npm start'],
    ['a command', '`vis-server launch`', 'launch'],
    ['a command of a command', fence('npx vis-server keys forge --account 1'), 'keys forge'],
  ])('may not name %s that does not exist', async (_what, markdown, reference) => {
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
    ['a code span that is not a path as a whole', '`DATA=../../elsewhere npm test`', '../../elsewhere'],
    ['a command in a code block', fence('ls ../../elsewhere'), '../../elsewhere'],
  ])('may not contain %s with a path that leaves the repository', async (_what, markdown, reference) => {
    const { broken } = await check(markdown)

    expect(broken).toMatchObject([{ reference, fault: expect.stringMatching(/^The path leaves the repository/) }])
  })

  it.each([
    ['a code span', '`../service/src/api/register.ts`'],
    ['a link', '[the folder of documents](../docs)'],
    ['an import in a code block', fence("import { x } from '../../../contract/x.ts'")],
  ])('may contain %s with a path that begins with ../ and stays in the repository', async (_what, markdown) => {
    expect((await check(markdown)).broken).toEqual([])
  })

  it('may not contain a path that begins with ../ and does not exist', async () => {
    const { broken } = await check('`../service/src/api/registry.ts`')

    expect(broken).toMatchObject([{ reference: '../service/src/api/registry.ts' }])
  })

  it('may not cite a decision without an entry', async () => {
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

  it('may name what the reader is to make, if it says so', async () => {
    const markdown =
      'Write `api/motto.ts` and `motto.test.ts`.\n<!-- not in the repository: api/motto.ts, motto.test.ts -->'

    expect(await check(markdown)).toMatchObject({ references: 2, broken: [] })
  })

  it('may not call absent what exists', async () => {
    const { broken } = await check('<!-- not in the repository: api/register.ts -->')

    expect(broken).toMatchObject([{ at: 'docs/planted.md:1', reference: 'api/register.ts' }])
  })

  it.each([
    ['addresses', '[site](https://example.org/none.md) and [mail](mailto:nobody@example.org)'],
    ['paths of a URL', '`/api/v1/cves`, `/docs`, `/health`, `/metrics`, `/api/v1/cves/{cveId}`'],
    ['media types and packages', '`application/json`, `@redocly/cli`, `node:fs/promises`'],
    ['placeholders', '`migrations/NNNN_subject.sql`, `feeds/x`, `endpoints/<name>/`, `feeds/*.ts`, `docs/…/it.md`'],
    ['what tools make', '`service/dist/main.js`, `node_modules/pg/index.js`'],
    ['sentences', '`select a/b from c`, `10.0.0.0/8`, `I/O`, `process.env`, `npm ci`'],
    ['code in a block', fence('cat service/src/nowhere.ts')],
    ['links in code', '`[text](nowhere.md)`'],
    ['comments', '<!-- [text](nowhere.md) `nowhere.ts` -->'],
  ])('is not held to %s', async (_what, markdown) => {
    expect((await check(markdown)).broken).toEqual([])
  })
})

describe('the documents', () => {
  it('are counted, and none of them has to exist', async () => {
    expect(await checkDocs(root)).toEqual({ files: 1, references: 0, citations: 0, broken: [] })
  })

  it.each([
    'README.md',
    'CHANGELOG.md',
    'docs/adr/0001-first.md',
    'conformance/README.md',
    'service/migrations/README.md',
  ])('include %s', async (path) => {
    const { files, broken } = await check('[nowhere](nowhere.md)', path)

    expect(files).toBe(2)
    expect(broken).toMatchObject([{ at: `${path}:1` }])
  })
})
