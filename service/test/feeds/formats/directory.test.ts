import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn } from '../../../src/feeds/formats/directory.ts'
import { testFolder } from './archive-fixtures.ts'
import { faultOf } from './json-chunks.ts'

const { path: folder, file } = await testFolder()
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

describe('The files in a directory', () => {
  it('are those whose name matches, there and in the folder of the feed, sorted by name', async () => {
    expect(await filesIn(folder, 'nvd', YEARS)).toEqual([
      { path: join(folder, 'nvd/year-2001.json'), name: 'year-2001.json', bytes: 6 },
      { path: join(folder, 'year-2002.json'), name: 'year-2002.json', bytes: 6 },
      { path: join(folder, 'nvd/year-2003.json'), name: 'year-2003.json', bytes: 6 },
      { path: join(folder, 'year-2003.json'), name: 'year-2003.json', bytes: 6 },
      { path: join(folder, 'year-2004.json'), name: 'year-2004.json', bytes: 6 },
    ])
  })

  it('are those of the directory alone when it has no folder of the feed, or a file of that name', async () => {
    const names = (await filesIn(folder, 'epss', YEARS)).map(({ name }) => name)
    expect(names).toEqual(['year-2002.json', 'year-2003.json', 'year-2004.json'])
    expect(await filesIn(folder, 'other.json', /2002/)).toHaveLength(1)
  })

  it('are all found by a pattern that remembers where it was', async () => {
    expect(await filesIn(folder, 'nvd', /year/g)).toHaveLength(5)
  })

  it('may be none', async () => {
    expect(await filesIn(folder, 'nvd', /\.zip$/)).toEqual([])
  })
})

describe('A directory that cannot be read', () => {
  it('does not exist, or is a file', async () => {
    const [nowhere, nothing] = [join(folder, 'nowhere'), join(folder, 'other.json')]
    expect(await faultOf(filesIn(nowhere, 'nvd', YEARS))).toBe(`the directory ${nowhere} does not exist`)
    expect(await faultOf(filesIn(nothing, 'nvd', YEARS))).toBe(`the directory ${nothing} is not a directory`)
  })

  it('names a file that is not there any more', async () => {
    const { path, file } = await testFolder()
    await file('year-2002.json', '')
    await symlink(join(path, 'gone'), join(path, 'year-2003.json'))
    expect(await faultOf(filesIn(path, 'nvd', YEARS))).toBe(`${join(path, 'year-2003.json')} does not exist`)
  })
})
