// Creates a temporary folder that is deleted after the last test of a test file.
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cleanUpAfterTests } from '../../support/cleanup.ts'

export interface TestFolder {
  readonly path: string
  /** Writes a file to the temporary folder and returns the path of the file. */
  file(name: string, content: string | Buffer): Promise<string>
}

export async function createTestFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'vis-reading-'))
  cleanUpAfterTests(() => rm(path, { recursive: true, force: true }))
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

/** Returns true if this process has the file open. */
export async function isFileOpen(path: string): Promise<boolean> {
  const descriptors = await readdir('/proc/self/fd')
  const paths = descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => 'already closed'))
  return (await Promise.all(paths)).includes(path)
}
