// Build step of the service: writes the browser script of /docs, and its license, next to the compiled code.
//
//   node service/scripts/write-scalar-bundle.ts [DIST]     DIST is service/dist by default
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { BUNDLE_FILE } from '../src/api/documentation/scalar-bundle.ts'
import { extractScalarBundle } from './extract-scalar-bundle.ts'

const dist = process.argv[2] ?? join(import.meta.dirname, '../dist')
const folder = join(dist, 'api/documentation')
const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')))

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, BUNDLE_FILE), await extractScalarBundle())
copyFileSync(join(packageFolder, 'LICENSE'), join(folder, 'scalar.LICENSE.txt'))
