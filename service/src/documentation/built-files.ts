// Files of the documentation that the build computes with development packages and writes into dist, so that the
// production installation needs neither these packages nor their dependencies. A source checkout without a build
// computes the files when they are needed.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface BuiltFile {
  /** Name of the file in dist/documentation. service/scripts/write-documentation-files.ts writes it. */
  readonly name: string
  readonly purpose: string
  /** File in service/scripts with the function `compute`: files in src must not import development packages. */
  readonly script: string
  readonly package: string
}

export const SCALAR_BUNDLE: BuiltFile = {
  name: 'scalar.js',
  purpose: 'browser script of /docs',
  script: 'extract-scalar-bundle.ts',
  package: '@scalar/fastify-api-reference',
}

export const HIGHLIGHTED_CODE: BuiltFile = {
  name: 'highlighted-code.json',
  purpose: 'highlighted code of /docs/guide',
  script: 'highlight-guide.ts',
  package: 'highlight.js',
}

/** Called at startup, so that the server does not start with a broken page. */
export function assertBuiltFile(file: BuiltFile): void {
  const path = locate(file)
  if (existsSync(path) || (existsSync(locateScript(file)) && isInstalled(file.package))) return
  throw new Error(
    `The ${file.purpose} is missing: there is no file ${path}. "npm run build" writes it; in a checkout, "npm ci" installs it.`,
  )
}

export async function loadBuiltFile(file: BuiltFile): Promise<string> {
  const path = locate(file)
  if (existsSync(path)) return readFile(path, 'utf8')
  const script: { compute(): string | Promise<string> } = await import(locateScript(file).href)
  return script.compute()
}

function locate({ name }: BuiltFile): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

function locateScript({ script }: BuiltFile): URL {
  return new URL(`../../scripts/${script}`, import.meta.url)
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
