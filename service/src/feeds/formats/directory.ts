// Files that an operator has put into a directory, for a feed to read instead of the network.
import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { toFileError } from './file-error.ts'

export interface FoundFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
}

/** Those in the directory itself and in its folder of the feed's name, sorted by name. */
export async function filesIn(directory: string, feedName: string, pattern: RegExp): Promise<readonly FoundFile[]> {
  const folder = join(directory, feedName)
  const own = await namesIn(directory)
  const hasFolder = own.includes(feedName) && (await statOf(folder)).isDirectory()
  const found = [
    ...(await matching(directory, own, pattern)),
    ...(hasFolder ? await matching(folder, await namesIn(folder), pattern) : []),
  ]
  return found.sort(byName)
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    throw toFileError(error, `the directory ${directory}`)
  }
}

async function matching(directory: string, names: readonly string[], pattern: RegExp): Promise<readonly FoundFile[]> {
  const files: FoundFile[] = []
  // Not pattern.test: that one has a memory when the pattern is global.
  for (const name of names.filter((name) => name.search(pattern) !== -1)) {
    const path = join(directory, name)
    const stats = await statOf(path)
    if (stats.isFile()) files.push({ path, name, bytes: stats.size })
  }
  return files
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path)
  } catch (error) {
    throw toFileError(error, path)
  }
}

function byName(left: FoundFile, right: FoundFile): number {
  if (left.name === right.name) return left.path < right.path ? -1 : 1
  return left.name < right.name ? -1 : 1
}
