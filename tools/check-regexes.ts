// Checks every regular expression in the source code with recheck. None may need more than linear time, because a few
// kilobytes of input could then keep a process busy for seconds.
//
// Expressions in the record tools/linear-expressions.txt are not checked again. --all checks them too, and --write also
// updates the record.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { check, type Diagnostics } from 'recheck'
import ts from 'typescript'
import { readConstantText } from './constant-text.ts'
import { hashExpression, readLinearExpressions, writeLinearExpressions } from './linear-expressions.ts'

const FOLDERS = [
  'service/src',
  'service/bin',
  'service/scripts',
  'sdk/src',
  'cli/src',
  'console/src',
  'console/build',
  'console/test',
  'tools',
  'conformance',
]

/** Time limit per expression. The slowest one in this repository takes about a second on an idle machine. */
const TIMEOUT_MS = 300_000
const CONCURRENCY = 2
/**
 * Whether an attack succeeds depends only on counted steps, never on a clock, so the result is the same on a busy
 * machine.
 */
const OPTIONS = { attackTimeout: null, incubationTimeout: null }

/**
 * A comment `// regex-bound: <reason>` on the line before an expression exempts it. The reason must name the maximum
 * length of the input; the check does not verify it.
 */
const EXEMPTION = /^\s*\/\/ regex-bound: \S/

export interface RegexReport {
  readonly files: number
  readonly expressions: number
  readonly exemptions: number
  /** Number of expressions that the record lists as linear. */
  readonly recorded: number
  /** Each entry is a sentence that names the location, the expression and the correction. */
  readonly violations: readonly string[]
}

interface Expression {
  readonly at: string
  readonly isExempt: boolean
  /** Undefined if the expression is known only at run time. */
  readonly pattern: { readonly source: string; readonly flags: string } | undefined
}

export async function checkRegexes(
  root: string,
  timeoutMs = TIMEOUT_MS,
  record = readLinearExpressions(root),
): Promise<RegexReport> {
  const files = listFiles(root)
  const expressions = files.flatMap((file) => findExpressions(file, readFileSync(join(root, file), 'utf8')))
  const judged = expressions.filter(({ isExempt }) => !isExempt)
  const isRecorded = ({ pattern }: Expression) => pattern !== undefined && record.has(hashExpression(format(pattern)))
  const unknown = judged.filter((expression) => !isRecorded(expression))
  return {
    files: files.length,
    expressions: expressions.length,
    exemptions: expressions.length - judged.length,
    recorded: judged.length - unknown.length,
    violations: [
      ...(files.length === 0 ? ['There is no source file, so no regular expression was checked.'] : []),
      ...(await findViolations(unknown, timeoutMs)),
    ],
  }
}

function listFiles(root: string): string[] {
  const patterns = FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mts,cts,js,mjs,cjs}`)
  return globSync(patterns, { cwd: root }).sort()
}

const format = ({ source, flags }: { readonly source: string; readonly flags: string }) => `/${source}/${flags}`

/** Records all expressions that need a proof as proved linear. Call it only after a check without violations. */
function writeRecord(root: string): void {
  const expressions = listFiles(root).flatMap((file) => findExpressions(file, readFileSync(join(root, file), 'utf8')))
  const patterns = expressions.flatMap(({ isExempt, pattern }) => (isExempt || !pattern ? [] : [pattern]))
  writeLinearExpressions(root, patterns.map(format))
}

/** Finds the regular expression literals and the RegExp calls in one file. */
export function findExpressions(file: string, text: string): Expression[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  const found: Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) || isRegExpCall(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      const isExempt = EXEMPTION.test(lines[line - 1] ?? '')
      found.push({ at: `${file}:${line + 1}`, isExempt, pattern: readPattern(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isRegExpCall(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
  return isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp'
}

function readPattern(
  node: ts.RegularExpressionLiteral | ts.NewExpression | ts.CallExpression,
): { source: string; flags: string } | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  const [first, second] = node.arguments ?? []
  const source = first && readConstantText(first)
  const flags = second === undefined ? '' : readConstantText(second)
  return source === undefined || flags === undefined ? undefined : { source, flags }
}

/** Checks each distinct expression once. */
async function findViolations(expressions: readonly Expression[], timeoutMs: number): Promise<string[]> {
  const violations: string[] = []
  const byText = new Map<string, Expression[]>()
  for (const expression of expressions) {
    const { at, pattern } = expression
    if (pattern === undefined) {
      violations.push(
        `${at}: the text of this RegExp is not constant, so it cannot be checked. Write a literal, compare strings, or write the maximum length of the input in a comment "// regex-bound: …" before it.`,
      )
    } else {
      const text = format(pattern)
      byText.set(text, [...(byText.get(text) ?? []), expression])
    }
  }
  const waiting = [...byText]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [text, [first, ...others]] = next
      if (first?.pattern === undefined) continue
      const issue = describeIssue(
        await check(first.pattern.source, first.pattern.flags, { ...OPTIONS, timeout: timeoutMs }),
      )
      if (issue !== undefined) violations.push(`${[first, ...others].map(({ at }) => at).join(', ')}: ${text} ${issue}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return violations.sort()
}

function describeIssue(result: Diagnostics): string | undefined {
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown')
    return `could not be checked: ${result.error.kind}. Write a simpler expression, so that the check can prove that it is linear.`
  return `is not linear (${result.complexity.summary}), for example for ${result.attack.pattern}. Write it so that each character can be matched in one way only, or use string functions.`
}

/**
 * Uses recheck's native program if npm installed it, and otherwise its JavaScript. Without this choice, recheck starts
 * Java if the machine has it.
 */
function chooseBackend(): 'native' | 'pure' {
  const systems: Readonly<Record<string, string>> = { darwin: 'macos', linux: 'linux', win32: 'windows' }
  try {
    import.meta.resolve(`recheck-${systems[process.platform]}-${process.arch}/package.json`)
    return 'native'
  } catch {
    return 'pure'
  }
}

process.env['RECHECK_BACKEND'] ??= chooseBackend()

if (import.meta.main) {
  const root = dirname(import.meta.dirname)
  const record = process.argv.includes('--all') ? new Set<string>() : readLinearExpressions(root)
  const { files, expressions, exemptions, recorded, violations } = await checkRegexes(root, TIMEOUT_MS, record)
  console.log(
    `regexes: ${files} files, ${expressions} expressions, ${recorded} recorded as linear, ${exemptions} exemptions, ${violations.length} violations`,
  )
  if (process.argv.includes('--write') && violations.length === 0) writeRecord(root)
  for (const violation of violations) console.log(`\n${violation}`)
  // Without this call, the program that recheck started would keep this process alive.
  process.exit(violations.length > 0 ? 1 : 0)
}
