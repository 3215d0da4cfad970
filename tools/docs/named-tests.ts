// Checks that each fault and goal in docs/threat-model.md names the tests that cover it or says that it is not tested,
// and that every test file named in the document exists.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BrokenReference } from './citations.ts'

const THREATS = 'docs/threat-model.md'
const TEST_FILES = [
  '{service,sdk,cli,console}/test/**/*.{test.ts,test.tsx,long.ts}',
  'lab/**/*.{test,long}.ts',
  '{tools,conformance}/**/*.test.ts',
]
const NAMED_TEST = /(?<![\w-])[\w-]{1,60}\.(?:test\.tsx?|long\.ts)(?!\w)/g
/** Start of an entry: the heading of a threat or fault, or the row of a goal. */
const ENTRY = /^### ([TF]-\d+) |^\| (C-[A-Z]+(?:-\d)?) \|/
const NOT_TESTED = /\bnot tested\b/i

interface Entry {
  readonly id: string
  readonly line: number
  readonly text: string
}

export function checkNamedTests(root: string): readonly BrokenReference[] {
  const [path] = globSync(THREATS, { cwd: root })
  if (path === undefined) return []
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const files = globSync(TEST_FILES, { cwd: root, exclude: (name) => /(^|\/)node_modules$/.test(name) })
  const existing = new Set(files.map((file) => basename(file)))
  const absent = lines.flatMap((text, index) =>
    Array.from(text.matchAll(NAMED_TEST), ([name]) => name)
      .filter((name) => !existing.has(name))
      .map((name) => ({
        at: `${THREATS}:${index + 1}`,
        reference: name,
        fault: 'There is no test file with this name. Correct the name.',
      })),
  )
  const untested = findEntries(lines)
    .filter(({ text }) => !NOT_TESTED.test(text) && text.match(NAMED_TEST) === null)
    .map(({ id, line }) => ({
      at: `${THREATS}:${line}`,
      reference: id,
      fault: 'The entry names no test file. Name one, or write "not tested" and the reason.',
    }))
  return [...absent, ...untested]
}

/** An entry extends to the next heading, or is one row of a table. */
function findEntries(lines: readonly string[]): readonly Entry[] {
  return lines.flatMap((first, index) => {
    const [, heading, row] = ENTRY.exec(first) ?? []
    const id = heading ?? row
    if (id === undefined) return []
    const rest = lines.slice(index + 1)
    const end = rest.findIndex((line) => line.startsWith('#'))
    const text = row === undefined ? rest.slice(0, end === -1 ? undefined : end).join('\n') : first
    return [{ id, line: index + 1, text }]
  })
}
