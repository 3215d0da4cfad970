// A folder with the given files, gone when the tests of the file are over.
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { atEnd } from '../../support/cleanup.ts'

export interface TestFolder {
  readonly path: string
  /** The path of the file that was written. */
  file(name: string, content: string | Buffer): Promise<string>
}

export async function testFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'vis-reading-'))
  atEnd(() => rm(path, { recursive: true, force: true }))
  return {
    path,
    file: async (name, content) => {
      const file = join(path, name)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      return file
    },
  }
}

/** Whether this process has the file open. */
export async function isOpen(path: string): Promise<boolean> {
  const descriptors = await readdir('/proc/self/fd')
  const paths = descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => 'closed by now'))
  return (await Promise.all(paths)).includes(path)
}
