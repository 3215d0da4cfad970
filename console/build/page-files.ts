// A Vite plugin that writes which files each page needs besides those of the first load. The service reads the list, and
// tells the browser to load them together with index.html.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const FILE = 'page-files.json'
/** Reads the routes from the source, because a route's path is known only when the application runs. */
const ROUTER = 'src/app/router.tsx'
/** The path of a route, and the folder of the page that it imports. */
const ROUTE =
  /(?:\bpage\(|\bpath:)\s*'(?<path>[^']+)'(?:(?!\bpage\(|\bpath:)[\s\S])*?import\('\.\.\/pages\/(?<folder>[\w-]+)\//g
const PAGE_MODULE = /\/src\/pages\/([\w-]+)\/page\.tsx$/

export function pageFiles(): Plugin {
  let router = ''
  return {
    name: 'page-files',
    apply: 'build',
    configResolved: ({ root }) => {
      router = readFileSync(join(root, ROUTER), 'utf8')
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(listPageFiles(bundle, router)) })
      },
    },
  }
}

/** Returns the files below /console/ by the path of each page, such as `/cves/$cveId`. */
function listPageFiles(bundle: Rolldown.OutputBundle, router: string): Readonly<Record<string, readonly string[]>> {
  const paths = new Map(Array.from(router.matchAll(ROUTE), ({ groups }) => [groups?.['folder'], groups?.['path']]))
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => listFiles(bundle, entry)))
  return Object.fromEntries(
    chunks.flatMap((chunk) => {
      const [, folder] = PAGE_MODULE.exec(chunk.facadeModuleId ?? '') ?? []
      if (folder === undefined) return []
      const path = paths.get(folder)
      if (path === undefined) throw new Error(`${ROUTER} has no route for the page ${folder}`)
      return [[path, listFiles(bundle, chunk).filter((file) => !first.has(file))]]
    }),
  )
}

/** Returns the file of a chunk and those of all chunks that it imports statically. */
function listFiles(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk, seen = new Set<string>()) {
  seen.add(chunk.fileName)
  for (const name of chunk.imports) {
    const file = bundle[name]
    if (file?.type === 'chunk' && !seen.has(name)) listFiles(bundle, file, seen)
  }
  return [...seen]
}
