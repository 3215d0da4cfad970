// The built files of the console, read once at startup. A request can only name a file that was found then, so no path
// in a request ever reaches the file system.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeakEtag } from '../api/etag.ts'
import { gzip } from '../api/gzip.ts'
import type { ConsoleFile } from './console-file.ts'
import { buildPages, type ConsolePages, type PageScripts } from './page-scripts.ts'

export interface ConsoleFiles {
  /** Files by their path below /console/, such as `assets/index-DiwrgTda.js`. */
  readonly files: ReadonlyMap<string, ConsoleFile>
  /** The index.html of each page, which names the page's scripts. */
  readonly pages: ConsolePages
}

const INDEX_FILE = 'index.html'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Folder of the built console: next to the `service` folder in a checkout, in a release and in the image. */
const FOLDER = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/** The scripts of each page besides those that index.html names. The build writes the list. */
const PAGE_FILES = 'page-files.json'

/** The name of an asset that Vite writes: a name, a hyphen, 8 characters of a hash, and an extension. */
const HASHED_NAME = /^assets\/[^/]*-[\w-]{8}\.\w+$/

/** Returns undefined if the console has not been built. */
export function findConsoleFolder(): string | undefined {
  return existsSync(join(FOLDER, INDEX_FILE)) ? FOLDER : undefined
}

export async function loadConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const files = new Map<string, ConsoleFile>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const type = CONTENT_TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).split(sep).join('/')
    // Only the service needs this list.
    if (name !== PAGE_FILES) files.set(name, await loadFile(path, name, type))
  }
  return { files, pages: await loadPages(folder, files.get(INDEX_FILE)) }
}

/** The build may have written a file `x.gz` next to `x`; otherwise `x` is compressed now. */
async function loadFile(path: string, name: string, type: string): Promise<ConsoleFile> {
  const plain = await readFile(path)
  const gzipped = existsSync(`${path}.gz`) ? await readFile(`${path}.gz`) : await gzip(plain)
  return { type, plain, gzipped, etag: buildWeakEtag(plain), isImmutable: HASHED_NAME.test(name) }
}

async function loadPages(folder: string, index: ConsoleFile | undefined): Promise<ConsolePages> {
  const path = join(folder, PAGE_FILES)
  // The cast is safe: the build writes the file (console/build/page-files.ts).
  const scripts = existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as PageScripts) : {}
  return buildPages(index, scripts)
}
