import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { realData } from './real-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'vis-real-data-'))

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

describe('realData', () => {
  it.each([undefined, ''])('returns undefined and prints the name of the skipped test if VIS_DATA is %j', (value) => {
    vi.stubEnv('VIS_DATA', value)
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)

    expect(realData('the test of all CVEs')).toBeUndefined()
    expect(write).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^SKIPPED: the test of all CVEs\. Set VIS_DATA to the folder .+ to run it\.\n$/),
    )
  })

  it('throws if VIS_DATA names a folder without data', () => {
    vi.stubEnv('VIS_DATA', folder)

    expect(() => realData('the test of all CVEs')).toThrow(/^VIS_DATA is .+, but there is no .+data\/README\.md\./)
  })

  it('returns the subfolder "data" of the folder that VIS_DATA names', async () => {
    await mkdir(join(folder, 'data'), { recursive: true })
    await writeFile(join(folder, 'data', 'README.md'), '')
    vi.stubEnv('VIS_DATA', folder)

    expect(realData('the test of all CVEs')).toBe(join(folder, 'data'))
  })
})
