// Builds the console into a temporary folder and fails if the first load or a lazily loaded page is too large. Sizes
// are those of the gzip files, which browsers receive.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** One file of the build, as Vite describes it in manifest.json. */
interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
}

export type Manifest = Readonly<Record<string, Chunk>>

interface Part {
  readonly name: string
  readonly bytes: number
  readonly maxBytes: number
}

const KB = 1000
const MAX_FIRST_LOAD_BYTES = 180 * KB
const MAX_PAGE_BYTES = 60 * KB

/**
 * Returns the first load and each lazy page with its size. A page does not count files of the first load, and a part that
 * a page loads later does not count files of the page.
 */
export function measureParts(manifest: Manifest, getBytes: (file: string) => number): readonly Part[] {
  const sum = (files: ReadonlySet<string>) => [...files].reduce((bytes, file) => bytes + getBytes(file), 0)
  const entries = Object.entries(manifest)
  const first = new Set(entries.filter(([, { isEntry }]) => isEntry).flatMap(([key]) => listFiles(manifest, key)))
  const pages = entries.filter(([, { isDynamicEntry }]) => isDynamicEntry)
  return [
    { name: 'first load', bytes: sum(first), maxBytes: MAX_FIRST_LOAD_BYTES },
    ...pages.map(([key]) => {
      const loaded = new Set([...first, ...listFilesOfPage(manifest, key)])
      return {
        name: key,
        bytes: sum(new Set(listFiles(manifest, key).filter((file) => !loaded.has(file)))),
        maxBytes: MAX_PAGE_BYTES,
      }
    }),
  ]
}

/** Lists the files of the page to which a part belongs; none for a page itself. */
function listFilesOfPage(manifest: Manifest, key: string): readonly string[] {
  const [before, after = ''] = key.split('pages/')
  const page = `${before}pages/${after.split('/')[0]}/page.tsx`
  return page === key ? [] : listFiles(manifest, page)
}

/** Lists the files of a chunk and of all chunks that it imports statically. */
function listFiles(manifest: Manifest, key: string, seen = new Set<string>()): readonly string[] {
  const chunk = manifest[key]
  if (!chunk || seen.has(key)) return []
  seen.add(key)
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((each) => listFiles(manifest, each, seen))]
}

function buildConsole(root: string, folder: string): Manifest {
  const vite = join(root, 'node_modules/.bin/vite')
  const args = ['build', 'console', '--config', 'console/vite.config.ts', '--outDir', folder, '--manifest']
  execFileSync(vite, [...args, '--emptyOutDir', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
  return JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'vis-console-size-'))
  try {
    const manifest = buildConsole(dirname(import.meta.dirname), folder)
    const parts = measureParts(manifest, (file) => statSync(join(folder, `${file}.gz`)).size)
    const [first, ...pages] = parts
    const largest = Math.max(0, ...pages.map(({ bytes }) => bytes))
    console.log(`console: first load ${toKb(first?.bytes)}, ${pages.length} pages, the largest ${toKb(largest)}`)
    for (const { name, bytes, maxBytes } of parts.filter((part) => part.bytes > part.maxBytes)) {
      console.log(`\n${name}: ${toKb(bytes)} of gzip, the maximum is ${toKb(maxBytes)}.`)
      process.exitCode = 1
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function toKb(bytes = 0): string {
  return `${(bytes / KB).toFixed(1)} kB`
}
