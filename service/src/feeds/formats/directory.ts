// Finds the files that an operator has put into a directory, so that a feed can read them instead of downloading them.
import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { toFileError } from './file-error.ts'

export interface FoundFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly modifiedAt: Date
}

/** Also looks in the subdirectory named after the feed. The result is sorted by file name. */
export async function listFiles(directory: string, feedName: string, pattern: RegExp): Promise<readonly FoundFile[]> {
  const folder = join(directory, feedName)
  const own = await listNames(directory)
  const hasFolder = own.includes(feedName) && (await statFile(folder)).isDirectory()
  const found = [
    ...(await findMatches(directory, own, pattern)),
    ...(hasFolder ? await findMatches(folder, await listNames(folder), pattern) : []),
  ]
  return found.sort(compareByName)
}

async function listNames(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    throw toFileError(error, `the directory ${directory}`)
  }
}

async function findMatches(
  directory: string,
  names: readonly string[],
  pattern: RegExp,
): Promise<readonly FoundFile[]> {
  const files: FoundFile[] = []
  // Uses `search`, because `pattern.test` starts at the end of the previous match if the pattern is global.
  for (const name of names.filter((name) => name.search(pattern) !== -1)) {
    const path = join(directory, name)
    const stats = await statFile(path)
    if (stats.isFile()) files.push({ path, name, bytes: stats.size, modifiedAt: stats.mtime })
  }
  return files
}

async function statFile(path: string): Promise<Stats> {
  try {
    return await stat(path)
  } catch (error) {
    throw toFileError(error, path)
  }
}

function compareByName(left: FoundFile, right: FoundFile): number {
  if (left.name === right.name) return left.path < right.path ? -1 : 1
  return left.name < right.name ? -1 : 1
}
