// Runs dependency-cruiser with .dependency-cruiser.mjs, checks the rules about folders, and fails if a source file was not
// read.
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { findFolderCircles, findLargeFolders } from './folder-rules.ts'

const CONFIGURATION = join(import.meta.dirname, '../.dependency-cruiser.mjs')
const FOLDERS = ['service/src', 'sdk/src', 'cli/src', 'console/src']

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
      // Reports unread files, because dependency-cruiser reads none and reports success if it cannot load TypeScript.
      ...(files.length === 0 ? ['unread-files: there is no source file'] : []),
      ...unread.map((path) => `unread-files: dependency-cruiser did not read ${path}`),
      ...findLargeFolders(files),
      ...findFolderCircles(imports),
      ...summary.violations.map(
        ({ rule, from, to, cycle }) =>
          `${rule.name}: ${from} → ${cycle?.map(({ name }) => name).join(' → ') ?? to}\n  ${comments.get(rule.name) ?? ''}`,
      ),
    ],
  }
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
