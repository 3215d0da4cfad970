// A small disk in memory (tmpfs) that a test can fill and free. Only root can mount one.
import { execFileSync } from 'node:child_process'
import { chownSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'

export interface SmallDisk {
  readonly folder: string
  /** Writes a file that takes all free space. */
  fill(): void
  /** Removes the file that `fill` wrote. */
  free(): void
}

const FILLER = 'filler'
const CHUNK = Buffer.alloc(64 * 1024)

/** Reason why no small disk can be mounted on this machine; undefined if it can. */
export const smallDiskMissingReason: string | undefined = findMissingReason()

function findMissingReason(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can mount a small disk'
  try {
    unmount(mount(1))
    return undefined
  } catch (error) {
    return `mounting a small disk failed: ${String(error).split('\n', 1).join()}`
  }
}

function mount(megabytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'vis-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' })
  return folder
}

function unmount(folder: string): void {
  // A lazy unmount also works while a process that is about to end still has a file open.
  execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' })
  rmSync(folder, { recursive: true, force: true })
}

/** Mounts a disk of the given size, which is unmounted after the last test of the file. */
export function createSmallDisk(megabytes: number, owner?: number): SmallDisk {
  const folder = mount(megabytes)
  cleanUpAfterTests(() => unmount(folder))
  if (owner !== undefined) chownSync(folder, owner, owner)
  return {
    folder,
    fill: () => writeUntilFull(join(folder, FILLER)),
    free: () => rmSync(join(folder, FILLER), { force: true }),
  }
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, CHUNK)
  } catch (error) {
    if (!String(error).includes('ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}
