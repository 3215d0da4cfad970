// Runs dependency-cruiser with .dependency-cruiser.mjs, checks the rules for folders and for the lab, and fails if a
// source file was not read.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { findFolderCircles, findLargeFolders } from './folder-rules.ts'

const CONFIGURATION = join(import.meta.dirname, '../.dependency-cruiser.mjs')
const FOLDERS = ['service/src', 'sdk/src', 'cli/src', 'console/src']

/** dependency-cruiser reads only the sources. This rule also applies to tests and tools, so their text is searched. */
const OUTSIDE_LAB = ['{service,sdk,cli,console,tools,conformance}/**/*.{ts,tsx,js,mjs}', '*.ts']
const RELATIVE_PATH = /['"`](\.{1,2}\/[^'"`\s]+)['"`]/g
const LAB_RULE =
  "Nothing imports lab: it is run every night and is no part of a release. Code that the service's tests share with it belongs in service/test/support."

export interface ImportReport {
  readonly modules: number
  readonly dependencies: number
  /** One line per forbidden import: rule, importing file, imported file. */
  readonly violations: readonly string[]
}

export async function checkImports(root: string): Promise<ImportReport> {
  const options = await extractOptions(CONFIGURATION)
  const { modules, summary } = await readImports(root, options)
  const comments = new Map(options.ruleSet?.forbidden?.map(({ name, comment }) => [name, comment]))
  const read = new Set(modules.map(({ source }) => source))
  const files = globSync(
    FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,js,mjs}`),
    { cwd: root },
  )
  const imports = new Map(
    modules
      .filter(({ source }) => files.includes(source))
      .map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]),
  )
  const unread = files.filter((path) => !read.has(path))
  return {
    modules: files.length - unread.length,
    dependencies: summary.totalDependenciesCruised ?? 0,
    violations: [
      // Reports unread files, because dependency-cruiser reads none, yet reports success, if it cannot load TypeScript.
      ...(files.length === 0 ? ['unread-files: there is no source file'] : []),
      ...unread.map((path) => `unread-files: dependency-cruiser did not read ${path}`),
      ...findLargeFolders(files),
      ...findFolderCircles(imports),
      ...findImportsOfLab(root),
      ...summary.violations.map(
        ({ rule, from, to, cycle }) =>
          `${rule.name}: ${from} → ${cycle?.map(({ name }) => name).join(' → ') ?? to}\n  ${comments.get(rule.name) ?? ''}`,
      ),
    ],
  }
}

/** Also finds lab programs that a test starts, because their relative path appears as a string, too. */
function findImportsOfLab(root: string): readonly string[] {
  const files = globSync(OUTSIDE_LAB, { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) })
  return files.sort().flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(RELATIVE_PATH), ([, path = '']) =>
      join(dirname(file), path),
    )
      .filter((path) => path.startsWith('lab/'))
      .map((path) => `nothing-imports-lab: ${file} → ${path}\n  ${LAB_RULE}`),
  )
}

async function readImports(root: string, options: ICruiseOptions): Promise<ICruiseResult> {
  const { output } = await cruise(FOLDERS, { ...options, baseDir: root, validate: true })
  if (typeof output === 'string') throw new Error(`dependency-cruiser returned text instead of a result: ${output}`)
  return output
}

if (import.meta.main) {
  const { modules, dependencies, violations } = await checkImports(process.argv[2] ?? dirname(import.meta.dirname))
  console.log(`imports: ${modules} modules, ${dependencies} dependencies, ${violations.length} violations`)
  for (const violation of violations) console.log(`\n${violation}`)
  if (violations.length > 0) process.exitCode = 1
}
