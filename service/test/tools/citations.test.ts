// Tests the citation checker with correct and wrong citations in a small temporary repository, and counts the citations
// in the real repository.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkCitations, findCitations } from '../../../tools/docs/citations.ts'
import { writeTemporaryDirectory } from '../feeds/temporary-files.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')
/**
 * Minimum number of citations in the real repository. The first count found 879; far fewer would mean that the patterns
 * or the list of files are wrong.
 */
const MIN_CITATIONS = 600

const FILES = {
  'docs/decisions.md': '### A6 Charges\n\n### C9 Dates\n\nSee A6.\n',
  'docs/threat-model.md': '### T-5 Keys\n\n### I1 Meter\n\n| C-MET-1 | calls |\n| C-ROLL | restarts |\n',
  'docs/adr/0001-first.md': '# 0001: First',
}

async function checkPlanted(path: string, text: string) {
  return checkCitations(await writeTemporaryDirectory({ ...FILES, [path]: text })).broken
}

const idsIn = (text: string, file = 'service/src/any.ts') => findCitations(file, text).map(({ id }) => id)

describe('Citation finder', () => {
  it.each([
    ['after the word decision', '// The charge is taken first (decision A6).', ['A6']],
    ['after the word Decision at the start of a sentence', '/** Decision C13 names the source. */', ['C13']],
    ['in a list of ids', '// See decisions A6, C9 and D20.', ['A6', 'C9', 'D20']],
    ['in a range of ids', '// Tests invariants I1 to I5 and I7.', ['I1', 'I5', 'I7']],
    ['after a line break in a comment', '// The service follows decision\n// C9 here.', ['C9']],
    ['after a line break in a block comment', '/**\n * See decisions A6,\n * C9 and B2.\n */', ['A6', 'C9', 'B2']],
    ['after a line break in SQL', '-- The one score of decision\n-- C3.', ['C3']],
    ['for a threat', '// One account cannot take all connections (threat T-29).', ['T-29']],
    ['for a threat without the word threat', '// T-3: all 401 responses are equal.', ['T-3']],
    ['for a fault', '// Redis restarts, see F-13.', ['F-13']],
    ['for a goal', '// Reaches C-MET-1 and C-ROLL.', ['C-MET-1', 'C-ROLL']],
    ['in parentheses', "it('returns 404 (B4, B5)', () => {})", ['B4', 'B5']],
    ['at the start of a test title', "it('D11 ignores duplicates', () => {})", ['D11']],
    ['at the start of a describe title', 'describe("C9 dates", () => {})', ['C9']],
  ])('finds a citation %s', (_where, text, ids) => {
    expect(idsIn(text)).toEqual(ids)
  })

  it.each([
    ['weaknesses and techniques', 'CWE-79, T1190, CAPEC-1, CVE-2021-44228'],
    ['encodings, hashes and standards', 'UTF-8, SHA-256, ISO 8601, RFC 9110, B-tree, C-like, ES2024'],
    ['paper sizes and spreadsheet cells', 'on A4 paper; @SUM(A1); =B2+C3'],
    ['control characters', 'Control characters (C0, C1, DEL)'],
    ['table cells', '| A1 | B2 |'],
    ['identifiers', 'const A1 = B2(C3); readA6(); A6_LIMIT'],
    ['percent escapes', "'%E0%A4%A'"],
    ['words that only resemble a citation', 'decision A650, decision-A6x, undecided A6'],
  ])('finds no citation in %s', (_what, text) => {
    expect(idsIn(text)).toEqual([])
  })

  it('finds a citation at the start of every text in the conformance suite', () => {
    expect(idsIn("['B9 a value is never clamped', 'a B2 b']", 'conformance/checks/any.mjs')).toEqual(['B9'])
  })

  it('treats every id in docs/decisions.md and docs/threat-model.md as a citation', () => {
    expect(idsIn('The score of C3 replaces D18.', 'docs/decisions.md')).toEqual(['C3', 'D18'])
  })

  it('reports the line number of each citation', () => {
    expect(findCitations('any.ts', 'first\n\n// decision A6\n')).toEqual([{ id: 'A6', line: 3 }])
  })
})

describe('Citation checker', () => {
  it('accepts ids that have an entry', async () => {
    expect(
      await checkPlanted('service/src/a.ts', '// decisions A6 and C9, threat T-5, C-MET-1, C-ROLL, invariant I1'),
    ).toEqual([])
  })

  it.each([
    ['code', 'service/src/a.ts', '// decision C10', 'C10'],
    ['a test', 'service/test/spec/a.test.ts', "it('is refused (A7)', () => {})", 'A7'],
    ['SQL', 'service/migrations/catalog/0001_a.sql', '-- decision B5', 'B5'],
    ['a document', 'docs/a.md', 'See decision E3.', 'E3'],
    ['the conformance suite', 'conformance/checks/a.mjs', "check('D9 a full page is the last', run)", 'D9'],
    ['the README of the conformance suite', 'conformance/README.md', "Write `check('D7 …')`.", 'D7'],
    ['the SDK', 'sdk/src/a.ts', '// decision A8', 'A8'],
  ])('reports a decision without an entry that is cited in %s', async (_what, path, text, id) => {
    expect(await checkPlanted(path, text)).toEqual([
      {
        at: `${path}:1`,
        reference: id,
        fault: `docs/decisions.md has no entry ${id}. Correct the id, or write the entry.`,
      },
    ])
  })

  it.each(['T-6', 'F-1', 'C-MET-2', 'C-KILL'])('reports %s, which has no entry in the threat model', async (id) => {
    expect(await checkPlanted('service/src/a.ts', `\n// See ${id}.`)).toEqual([
      {
        at: 'service/src/a.ts:2',
        reference: id,
        fault: `docs/threat-model.md has no entry ${id}. Correct the id, or write the entry.`,
      },
    ])
  })

  it('reports an architecture decision record that does not exist', async () => {
    expect(await checkPlanted('service/src/a.ts', '// See ADR 0001 and ADR 0002.')).toEqual([
      { at: 'service/src/a.ts:1', reference: 'ADR 0002', fault: 'docs/adr has no record 0002. Correct the number.' },
    ])
  })

  it.each(['service/sample/README.md', 'service/test/feeds/sources/kev/fixtures/a.md', 'sdk/src/generated/a.ts'])(
    'does not search %s',
    async (path) => {
      expect(await checkPlanted(path, 'decision C10')).toEqual([])
    },
  )

  it('finds no citation in this repository without an entry in docs/decisions.md or docs/threat-model.md', () => {
    const { citations, broken } = checkCitations(REPOSITORY)

    expect(broken).toEqual([])
    expect(citations).toBeGreaterThan(MIN_CITATIONS)
  })
})
