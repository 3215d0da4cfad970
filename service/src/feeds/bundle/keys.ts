// The operator's Ed25519 keys: the private key signs a bundle on the machine with a network, and the public key verifies
// it on the machine without one.
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FeedError } from '../feed.ts'
import { toFileError } from '../formats/file-error.ts'

const PRIVATE_KEY_FILE = 'bundle-private.pem'
const PUBLIC_KEY_FILE = 'bundle-public.pem'
/** Access of other users, or write access of the group. systemd and Kubernetes let a group read secrets. */
const LOOSE_PERMISSIONS = 0o027
const PEM_BLOCK = /-----BEGIN PUBLIC KEY-----[^-]{1,1000}-----END PUBLIC KEY-----/g

export interface KeyFiles {
  readonly privateKey: string
  readonly publicKey: string
  readonly fingerprint: string
}

/** Never replaces a key: bundles that were signed with it could no longer be verified. */
export async function createKeyFiles(directory: string): Promise<KeyFiles> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const files = { privateKey: join(directory, PRIVATE_KEY_FILE), publicKey: join(directory, PUBLIC_KEY_FILE) }
  await writeKeyFile(files.privateKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600)
  await writeKeyFile(files.publicKey, publicKey.export({ type: 'spki', format: 'pem' }), 0o644)
  return { ...files, fingerprint: readFingerprint(publicKey) }
}

async function writeKeyFile(path: string, content: string | Buffer, mode: number): Promise<void> {
  try {
    await writeFile(path, content, { mode, flag: 'wx' })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw exists ? new FeedError(`${path} exists already, and a key is never replaced.`) : toFileError(error, path)
  }
}

export async function readPrivateKey(path: string): Promise<KeyObject> {
  const { mode } = await stat(path).catch((error: unknown) => {
    throw toFileError(error, `The private key ${path}`)
  })
  if ((mode & LOOSE_PERMISSIONS) !== 0)
    throw new FeedError(
      `The private key ${path} has the permissions ${(mode & 0o777).toString(8)}: others could read or replace it. Run: chmod 600 ${path}`,
    )
  const pem = await readKeyFile(path, 'private')
  return checkKey(() => createPrivateKey(pem), path, 'private')
}

/** The file may contain several keys, so that bundles are accepted while the operator replaces a key. */
export async function readPublicKeys(path: string): Promise<readonly KeyObject[]> {
  const blocks = (await readKeyFile(path, 'public')).match(PEM_BLOCK)
  if (!blocks) throw new FeedError(`The public key ${path} has no block "BEGIN PUBLIC KEY".`)
  return blocks.map((block) => checkKey(() => createPublicKey(block), path, 'public'))
}

async function readKeyFile(path: string, kind: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw toFileError(error, `The ${kind} key ${path}`)
  }
}

/** The message of Node's error is not repeated, because it may quote the file. */
function checkKey(parse: () => KeyObject, path: string, kind: string): KeyObject {
  let key: KeyObject | undefined
  try {
    key = parse()
  } catch {
    // Handled below.
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new FeedError(
      `The ${kind} key ${path} is not an Ed25519 key in PEM form without a passphrase. Create one: vis-server feeds key --to DIR`,
    )
  return key
}

/** SHA-256 of the public key, which identifies it in messages. */
export function readFingerprint(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'hex')
}

export function signManifest(manifest: Buffer, privateKey: KeyObject): Buffer {
  return sign(null, manifest, privateKey)
}

export function findSigner(manifest: Buffer, signature: Buffer, keys: readonly KeyObject[]): KeyObject | undefined {
  return keys.find((key) => verify(null, manifest, key, signature))
}
