import { generateKeyPairSync } from 'node:crypto'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPrivateKey, readPublicKeys } from '../../../src/feeds/bundle/keys.ts'
import { createFolder, createKeys } from '../../commands/bundle-setup.ts'
import { runCommand } from '../../support/run-command.ts'

describe('vis-server feeds key', () => {
  it('creates a private key that only its owner can read, and prints only the fingerprint', async () => {
    const folder = await createFolder()

    const { code, stdout, stderr } = await runCommand(['feeds', 'key', '--to', folder], {})

    const pem = await readFile(join(folder, 'bundle-private.pem'), 'utf8')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^[0-9a-f]{64}\n$/)
    expect(stdout + stderr).not.toContain(pem.split('\n')[1])
    expect((await stat(join(folder, 'bundle-private.pem'))).mode & 0o777).toBe(0o600)
  })

  it('never replaces a key', async () => {
    const folder = await createFolder()
    await runCommand(['feeds', 'key', '--to', folder], {})

    const { code, stderr } = await runCommand(['feeds', 'key', '--to', folder], {})

    expect([code, stderr]).toEqual([1, expect.stringContaining('bundle-private.pem exists already')])
  })
})

describe('the private key', () => {
  it.each([0o604, 0o644, 0o620])('is refused with the permissions %o', async (mode) => {
    const { privateKey } = await createKeys()
    await chmod(privateKey, mode)

    await expect(readPrivateKey(privateKey)).rejects.toThrow(`Run: chmod 600 ${privateKey}`)
  })

  it('may be readable by a group, as secrets of systemd and Kubernetes are', async () => {
    const { privateKey } = await createKeys()
    await chmod(privateKey, 0o440)

    await expect(readPrivateKey(privateKey)).resolves.toMatchObject({ type: 'private' })
  })

  it.each<[string, () => string | Buffer]>([
    [
      'another kind of key',
      () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
    ['no key', () => 'secret words'],
  ])('is refused if the file contains %s, without quoting the file', async (_what, write) => {
    const file = join(await createFolder(), 'key.pem')
    await writeFile(file, write(), { mode: 0o600 })

    const error = await readPrivateKey(file).catch((reason: unknown) => String(reason))

    expect(error).toContain('is not an Ed25519 key in PEM form')
    expect(error).not.toContain('secret words')
  })
})

describe('the public key', () => {
  it('may be a file with several keys, so that a key can be replaced', async () => {
    const [one, other] = [await createKeys(), await createKeys()]
    const file = join(await createFolder(), 'keys.pem')
    await writeFile(file, (await readFile(one.publicKey, 'utf8')) + (await readFile(other.publicKey, 'utf8')))

    expect(await readPublicKeys(file)).toHaveLength(2)
  })

  it('is refused if the file contains none', async () => {
    const { privateKey } = await createKeys()

    await expect(readPublicKeys(privateKey)).rejects.toThrow('has no block "BEGIN PUBLIC KEY"')
  })
})
