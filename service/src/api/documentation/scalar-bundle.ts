// The browser script of the API reference (Scalar, 4 MB). The build copies the script into dist, so that the production
// installation needs neither the package Scalar nor its dependencies. A source checkout without a build reads the
// script from Scalar's package, a development dependency.
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
 * Script that reads Scalar's browser script from the installed package Scalar. It exists only in a source checkout,
 * outside src, because files in src must not import a development dependency such as Scalar.
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
