// One index.html for each page of the console. Each names the scripts of its page, so that the browser loads them at once
// instead of when the first scripts have run and ask for them.
import { buildWeakEtag } from '../api/etag.ts'
import { gzip } from '../api/gzip.ts'
import type { ConsoleFile } from './console-file.ts'

/** Scripts below /console/ by the path of a page, in which a segment such as `$cveId` stands for any text. */
export type PageScripts = Readonly<Record<string, readonly string[]>>

export interface ConsolePages {
  /** Returns the index.html for a path below /console/; that without further scripts for a page that is not listed. */
  find(path: string): ConsoleFile | undefined
}

interface Page {
  readonly segments: readonly string[]
  readonly file: ConsoleFile
}

export async function buildPages(index: ConsoleFile | undefined, scripts: PageScripts): Promise<ConsolePages> {
  if (!index) return { find: () => undefined }
  const pages = await Promise.all(
    Object.entries(scripts).map(async ([path, files]) => ({
      segments: splitPath(path),
      file: await addScripts(index, files),
    })),
  )
  return { find: (path) => findPage(pages, splitPath(path))?.file ?? index }
}

function splitPath(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function findPage(pages: readonly Page[], asked: readonly string[]): Page | undefined {
  return pages.find(
    ({ segments }) =>
      segments.length === asked.length &&
      segments.every((segment, index) => segment.startsWith('$') || segment === asked[index]),
  )
}

async function addScripts(index: ConsoleFile, files: readonly string[]): Promise<ConsoleFile> {
  const links = files.map((file) => `<link rel="modulepreload" crossorigin href="/console/${file}">`).join('')
  const plain = Buffer.from(index.plain.toString('utf8').replace('</head>', `${links}</head>`))
  return { ...index, plain, gzipped: await gzip(plain), etag: buildWeakEtag(plain) }
}
