// A Vite plugin that writes a gzip file next to each text file of the build, so that the service does not have to
// compress anything itself.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT_FILE = /\.(?:css|html|js|json|svg)$/

export function gzipFiles(): Plugin {
  let folder = ''
  return {
    name: 'gzip-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir)
    },
    closeBundle: () => {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !TEXT_FILE.test(entry.name)) continue
        const file = join(entry.parentPath, entry.name)
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: constants.Z_BEST_COMPRESSION }))
      }
    },
  }
}
