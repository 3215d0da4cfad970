import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles } from '../../../src/feeds/formats/directory.ts'
import { readErrorMessage } from './json-chunks.ts'
import { createTestFolder } from './test-folder.ts'

const { path: folder, file } = await createTestFolder()
for (const name of [
  'year-2003.json',
  'year-2002.json',
  'other.json',
  'nvd/year-2001.json',
  'nvd/year-2003.json',
  'kev/year-1999.json',
])
  await file(name, 'a text')
await mkdir(join(folder, 'year-2000.json'))
await symlink(join(folder, 'other.json'), join(folder, 'year-2004.json'))

const YEARS = /^year-\d{4}\.json$/

describe('Directory listing for a feed', () => {
  it("lists matching files in the directory and in the feed's subdirectory, sorted by name", async () => {
    const modifiedAt = expect.any(Date)
    expect(await listFiles(folder, 'nvd', YEARS)).toEqual([
      { path: join(folder, 'nvd/year-2001.json'), name: 'year-2001.json', bytes: 6, modifiedAt },
      { path: join(folder, 'year-2002.json'), name: 'year-2002.json', bytes: 6, modifiedAt },
      { path: join(folder, 'nvd/year-2003.json'), name: 'year-2003.json', bytes: 6, modifiedAt },
      { path: join(folder, 'year-2003.json'), name: 'year-2003.json', bytes: 6, modifiedAt },
      { path: join(folder, 'year-2004.json'), name: 'year-2004.json', bytes: 6, modifiedAt },
    ])
  })

  it('lists only files in the directory itself when the feed has no subdirectory', async () => {
    const names = (await listFiles(folder, 'epss', YEARS)).map(({ name }) => name)
    expect(names).toEqual(['year-2002.json', 'year-2003.json', 'year-2004.json'])
    expect(await listFiles(folder, 'other.json', /2002/)).toHaveLength(1)
  })

  it('finds all files when the regular expression has the g flag', async () => {
    expect(await listFiles(folder, 'nvd', /year/g)).toHaveLength(5)
  })

  it('returns an empty list when no file name matches', async () => {
    expect(await listFiles(folder, 'nvd', /\.zip$/)).toEqual([])
  })
})

describe('Directory listing of an unreadable directory', () => {
  it('throws a FeedError when the directory is missing or is a file', async () => {
    const [nowhere, nothing] = [join(folder, 'nowhere'), join(folder, 'other.json')]
    expect(await readErrorMessage(listFiles(nowhere, 'nvd', YEARS))).toBe(`the directory ${nowhere} does not exist`)
    expect(await readErrorMessage(listFiles(nothing, 'nvd', YEARS))).toBe(`the directory ${nothing} is not a directory`)
  })

  it('throws a FeedError that names a broken symbolic link', async () => {
    const { path, file } = await createTestFolder()
    await file('year-2002.json', '')
    await symlink(join(path, 'gone'), join(path, 'year-2003.json'))
    expect(await readErrorMessage(listFiles(path, 'nvd', YEARS))).toBe(`${join(path, 'year-2003.json')} does not exist`)
  })
})
