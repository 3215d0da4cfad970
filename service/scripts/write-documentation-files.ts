// Build step of the service: writes the files of the documentation that are computed with development packages, and the
// license of the one that contains code of its package, next to the compiled code.
//
//   node service/scripts/write-documentation-files.ts [DIST]     DIST is service/dist by default
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { HIGHLIGHTED_CODE, SCALAR_BUNDLE } from '../src/documentation/built-files.ts'
import { compute as extractScalarBundle } from './extract-scalar-bundle.ts'
import { compute as highlightGuide } from './highlight-guide.ts'

const dist = process.argv[2] ?? join(import.meta.dirname, '../dist')
const folder = join(dist, 'documentation')
const scalarFolder = dirname(dirname(createRequire(import.meta.url).resolve(SCALAR_BUNDLE.package)))

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, SCALAR_BUNDLE.name), await extractScalarBundle())
copyFileSync(join(scalarFolder, 'LICENSE'), join(folder, 'scalar.LICENSE.txt'))
writeFileSync(join(folder, HIGHLIGHTED_CODE.name), highlightGuide())
