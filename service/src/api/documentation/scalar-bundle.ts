// The browser script of the API reference (Scalar, 4 MB). The build writes the script into dist, so that the packages
// that run in production contain neither Scalar nor its dependencies. A checkout without a build reads the script from
// the development dependency.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * File name of Scalar's browser script in dist/api/documentation. service/scripts/write-scalar-bundle.ts writes the
 * file.
 */
export const BUNDLE_FILE = 'scalar.js'

const BUILT_BUNDLE = fileURLToPath(new URL(BUNDLE_FILE, import.meta.url))

/**
 * Script that exists only in a checkout. It imports Scalar, a development dependency, which files in src must not
 * import.
 */
const EXTRACT_SCRIPT = new URL('../../../scripts/extract-scalar-bundle.ts', import.meta.url)

/**
 * Called at startup: throws if the browser script of /docs is missing, so that the server does not start with a broken
 * page.
 */
export function assertScalarBundle(): void {
  if (existsSync(BUILT_BUNDLE) || (existsSync(EXTRACT_SCRIPT) && isScalarInstalled())) return
  throw new Error(
    `The browser script of /docs is missing: there is no file ${BUILT_BUNDLE}. "npm run build" writes it; in a checkout, "npm ci" installs it.`,
  )
}

export async function loadScalarBundle(): Promise<string> {
  if (existsSync(BUILT_BUNDLE)) return readFile(BUILT_BUNDLE, 'utf8')
  const script: { extractScalarBundle(): Promise<string> } = await import(EXTRACT_SCRIPT.href)
  return script.extractScalarBundle()
}

function isScalarInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
    return true
  } catch {
    return false
  }
}
