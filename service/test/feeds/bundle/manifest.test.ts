// A manifest that an attacker wrote, for an installation that sets no key.
import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../../src/feeds/bundle/manifest.ts'

const FILE = {
  path: 'kev/kev.json',
  source: null,
  fetched_at: '2026-08-22T00:00:00Z',
  bytes: 1,
  sha256: 'a'.repeat(64),
}

const write = (changes: Readonly<Record<string, unknown>>) =>
  Buffer.from(
    JSON.stringify({
      format: 'vis-bundle/1',
      created_at: '2026-08-22T00:00:00Z',
      feeds: { kev: { collected_at: null, index: null, error: null } },
      files: [FILE],
      ...changes,
    }),
  )

describe('parseManifest', () => {
  it.each([
    '../kev.json',
    'kev/../../etc/passwd',
    '/etc/passwd',
    'kev/.hidden',
    'kev/a/b.json',
    'kev\\kev.json',
    'kev/',
    'kev.json',
    'KEV/kev.json',
    'kev/kev.json\n',
    `kev/${'a'.repeat(300)}`,
    'manifest.json',
    '.collecting/journal.ndjson',
  ])('refuses the path %j', (path) => {
    expect(() => parseManifest(write({ files: [{ ...FILE, path }] }))).toThrow('names a file that no bundle contains')
  })

  it('refuses two entries for one path', () => {
    expect(() => parseManifest(write({ files: [FILE, FILE] }))).toThrow('names kev/kev.json twice')
  })

  it.each([
    ['another format', { format: 'vis-bundle/2' }],
    ['a missing list of files', { files: undefined }],
    ['a hash of another form', { files: [{ ...FILE, sha256: 'A'.repeat(64) }] }],
    ['a negative size', { files: [{ ...FILE, bytes: -1 }] }],
    ['an invalid time', { created_at: 'yesterday' }],
    ['an invalid time of a feed', { feeds: { kev: { collected_at: 'soon', index: null, error: null } } }],
  ])('refuses %s', (_what, changes) => {
    expect(() => parseManifest(write(changes))).toThrow(/^manifest\.json /)
  })

  it('refuses a file that is not JSON', () => {
    expect(() => parseManifest(Buffer.from('{"format":'))).toThrow('manifest.json cannot be read')
  })
})
