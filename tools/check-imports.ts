// Holds the source against the table "Who may import whom", and proves that it has read every file of it.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser'
import { environmentReads, type Finding, hiddenImports } from './environment-reads.ts'
import { ENTRIES, FLOORS, RULES, WORKSPACES } from './import-rules.ts'

export interface Violation {
  readonly rule: string
  readonly from: string
  readonly to: string
  /** A sentence: what is allowed instead. */
  readonly allowed: string
}

export interface ImportReport {
  readonly modules: number
  readonly dependencies: number
  readonly violations: readonly Violation[]
}

const CODE = /\.[cm]?[jt]sx?$/
const IN_SOURCE = new RegExp(`^(${WORKSPACES.join('|')})/src/`)
const READS_THE_ENVIRONMENT = 'service/src/config.ts'
const SAYS_NOTHING = /^(utils?|helpers?|common|shared|libs?)$/i

export async function checkImports(root: string): Promise<ImportReport> {
  const folders = WORKSPACES.map((each) => `${each}/src`).filter((each) => existsSync(join(root, each)))
  const entries = (await Promise.all(folders.map((each) => listing(root, each)))).flat()
  const files = entries.filter((each) => CODE.test(each)).sort()
  const graph = await readImports(root, folders)
  const modules = graph.modules.map(({ source }) => source).filter((source) => IN_SOURCE.test(source))
  return {
    modules: modules.length,
    dependencies: graph.summary.totalDependenciesCruised ?? 0,
    violations: [
      ...unread(files, modules),
      ...missingEntries(files),
      ...(await unnamedFloors(root, files)),
      ...entries.filter((each) => SAYS_NOTHING.test(stem(each))).map(emptyName),
      ...brokenRules(graph.summary.violations),
      ...(await Promise.all(files.map((file) => sourceFaults(root, file)))).flat(),
    ],
  }
}

/** Files and folders below one of the source folders, as paths from the root. */
async function listing(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  return entries.map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

async function readImports(root: string, folders: readonly string[]): Promise<ICruiseResult> {
  const { output } = await cruise(
    [...folders],
    {
      baseDir: root,
      validate: true,
      ruleSet: RULES,
      // Types tie modules together as much as values do.
      tsPreCompilationDeps: true,
      doNotFollow: 'node_modules',
      enhancedResolveOptions: {
        exportsFields: ['exports'],
        conditionNames: ['source', 'import', 'node', 'default'],
      },
    },
    { bustTheCache: true },
  )
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with text: ${output}`)
  return output
}

/** dependency-cruiser is content with having read nothing, which is what it does when it cannot use TypeScript. */
function unread(files: readonly string[], modules: readonly string[]): Violation[] {
  const allowed = `Every file must be read, or the rest of this report is worth nothing: there are ${files.length} on disk, and ${modules.length} were read. Is the typescript package one that dependency-cruiser can use?`
  if (files.length === 0) return [{ rule: 'unread-files', from: 'every source folder', to: 'nothing', allowed }]
  return files
    .filter((file) => !modules.includes(file))
    .map((file) => ({ rule: 'unread-files', from: file, to: 'not read', allowed }))
}

/** Without its entry a workspace could be full of dead modules: nothing would be reached from nowhere. */
function missingEntries(files: readonly string[]): Violation[] {
  return ENTRIES.filter((entry) => {
    const folder = `${dirname(entry)}/`
    return !files.includes(entry) && files.some((file) => file.startsWith(folder))
  }).map((entry) => ({
    rule: 'missing-entry',
    from: dirname(entry),
    to: entry,
    allowed: 'A workspace is entered where tools/import-rules.ts says: restore the file, or change the entry there.',
  }))
}

async function unnamedFloors(root: string, files: readonly string[]): Promise<Violation[]> {
  const source = 'service/src'
  const folders = (await readdir(join(root, source), { withFileTypes: true })).filter((each) => each.isDirectory())
  const strangers = folders.map(({ name }) => `${source}/${name}/`).filter((each) => !isNamed(`${each}any.ts`))
  const strays = files.filter(
    (file) => file.startsWith(`${source}/`) && !isNamed(file) && !strangers.some((each) => file.startsWith(each)),
  )
  return [...strangers, ...strays].map((from) => ({
    rule: 'unnamed-floor',
    from,
    to: 'no row of the table',
    allowed: `The service has ${FLOORS.map(({ name }) => name).join(', ')}. A new floor is a decision: write an ADR, then add its row to tools/import-rules.ts and ARCHITECTURE.md.`,
  }))
}

function isNamed(file: string): boolean {
  return FLOORS.some(({ modules }) => new RegExp(modules).test(file))
}

function stem(path: string): string {
  return basename(path).split('.')[0] ?? ''
}

function emptyName(path: string): Violation {
  return {
    rule: 'empty-name',
    from: path,
    to: stem(path),
    allowed: 'A name must give a reason to refuse something: call it by its subject, or put it beside its only user.',
  }
}

function brokenRules(found: readonly IViolation[]): Violation[] {
  const comments = new Map(RULES.forbidden?.map(({ name, comment }) => [name, comment ?? '']))
  const violations = found.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    from,
    to: describeTarget(from, to, cycle),
    allowed: comments.get(rule.name) ?? '',
  }))
  return distinctCycles(violations)
}

function describeTarget(from: string, to: string, cycle: IViolation['cycle']): string {
  if (cycle) return cycle.map(({ name }) => name).join(' → ')
  return from === to ? 'nobody' : to
}

/** A cycle is found once from each of its modules; telling it once is enough. */
function distinctCycles(violations: readonly Violation[]): Violation[] {
  const told = new Set<string>()
  return violations.filter(({ rule, to }) => {
    const identity = rule === 'no-cycles' ? to.split(' → ').sort().join(' ') : undefined
    if (identity === undefined) return true
    const isNew = !told.has(identity)
    told.add(identity)
    return isNew
  })
}

async function sourceFaults(root: string, file: string): Promise<Violation[]> {
  const text = await readFile(join(root, file), 'utf8')
  const report = (rule: string, allowed: string) => (finding: Finding) => ({
    rule,
    from: `${file}:${finding.line}`,
    to: finding.text,
    allowed,
  })
  const environment = file === READS_THE_ENVIRONMENT ? [] : environmentReads(file, text)
  return [
    ...environment.map(
      report(
        'environment',
        `Only ${READS_THE_ENVIRONMENT} reads the environment: take the setting as an argument. Of process, other members may be used, by name.`,
      ),
    ),
    ...hiddenImports(file, text).map(
      report('hidden-import', 'An import must name its module in a plain string, so that it can be checked.'),
    ),
  ]
}

function print({ modules, dependencies, violations }: ImportReport): void {
  console.log(`imports: ${modules} modules, ${dependencies} dependencies, ${violations.length} violations`)
  for (const { rule, from, to, allowed } of violations) console.log(`\n${rule}: ${from} → ${to}\n  ${allowed}`)
}

if (import.meta.main) {
  const report = await checkImports(process.argv[2] ?? dirname(import.meta.dirname))
  print(report)
  if (report.violations.length > 0) process.exitCode = 1
}
