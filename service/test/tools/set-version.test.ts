// Changes the version in a copy of the repository's files.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mentionsVersion, setVersion } from '../../../tools/set-version.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')
const NEW_VERSION = '97.98.99-test.1'
const NOW = new Date('2026-11-16T23:00:00Z')

const folder = mkdtempSync(join(tmpdir(), 'vis-version-'))
afterAll(() => rmSync(folder, { recursive: true }))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** Lists the tracked files that mention a version. Sample data, tests and tools contain versions as examples. */
function listFilesWith(version: string): readonly string[] {
  const paths = ['.', ':!service/sample', ':!**/test/**', ':!tools', ':!.github', ':!package-lock.json']
  const listed = execFileSync('git', ['grep', '-lFw', version, '--', ...paths], { cwd: REPOSITORY, encoding: 'utf8' })
  return listed
    .trim()
    .split('\n')
    .filter((file) => mentionsVersion(readFileSync(join(REPOSITORY, file), 'utf8'), version))
}

const { version: oldVersion }: { version: string } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
const files = [...new Set([...listFilesWith(oldVersion), 'package-lock.json', 'CHANGELOG.md'])]

function copyFiles(): void {
  for (const file of files) cpSync(join(REPOSITORY, file), join(folder, file))
  const changelog =
    '# Changelog\n\nIntroduction.\n\n## Unreleased (v1.5)\n\n- A new thing.\n\n## 0.0.1, 2026-01-01\n\n- First.\n'
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
}

describe('set-version', () => {
  beforeAll(() => {
    copyFiles()
    setVersion(folder, NEW_VERSION, NOW)
  })

  it('replaces the version in every file that mentions it', () => {
    const others = ['package-lock.json', 'CHANGELOG.md']
    const outdated = files.filter((file) => !others.includes(file) && mentionsVersion(read(file), oldVersion))

    expect(files.length).toBeGreaterThan(10)
    expect(outdated).toEqual([])
  })

  it('gives the workspaces and the lockfile the same version', () => {
    const lockfile = JSON.parse(read('package-lock.json'))
    const manifests = [
      'package.json',
      'service/package.json',
      'sdk/package.json',
      'cli/package.json',
      'console/package.json',
      'lab/package.json',
    ]

    expect(manifests.map((file) => JSON.parse(read(file)).version)).toEqual(manifests.map(() => NEW_VERSION))
    expect(JSON.parse(read('cli/package.json')).dependencies['vis-sdk']).toBe(NEW_VERSION)
    expect(lockfile.version).toBe(NEW_VERSION)
    for (const path of ['', 'service', 'sdk', 'cli']) expect(lockfile.packages[path].version).toBe(NEW_VERSION)
    expect(lockfile.packages.cli.dependencies['vis-sdk']).toBe(NEW_VERSION)
  })

  it('changes nothing else in the manifests and the lockfile', () => {
    for (const file of ['cli/package.json', 'package-lock.json']) {
      const original = readFileSync(join(REPOSITORY, file), 'utf8').split('\n')
      const changed = read(file).split('\n')
      const differing = changed.filter((line, index) => line !== original[index])

      expect(differing.every((line) => line.includes(NEW_VERSION))).toBe(true)
    }
  })

  it('moves the unreleased entries below a heading with the version and the date', () => {
    expect(read('CHANGELOG.md')).toBe(
      `# Changelog\n\nIntroduction.\n\n## Unreleased (v1.5)\n\n## ${NEW_VERSION} (v1.5), 2026-11-16\n\n- A new thing.\n\n## 0.0.1, 2026-01-01\n\n- First.\n`,
    )
  })

  it('rejects a second release without new entries and writes nothing', () => {
    expect(() => setVersion(folder, '98.0.0', NOW)).toThrow('CHANGELOG.md has no entries under "## Unreleased".')
    expect(JSON.parse(read('package.json')).version).toBe(NEW_VERSION)
  })

  it.each(['', 'v1.2.3', '1.2', '1.2.3 '])('rejects "%s", which is not a version', (version) => {
    expect(() => setVersion(folder, version, NOW)).toThrow('is not a version such as 1.2.3.')
  })
})
