// Adds digests to the files of a release, using a registry that implements the OCI distribution API over HTTP and, like
// Docker Hub, serves manifests only with a token.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseReference, resolveDigest } from '../../../tools/image-digest.ts'
import { findImages, findUnpinned, pinImages } from '../../../tools/pin-images.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')
const FILES = ['Dockerfile', 'compose.yaml', 'deploy/kubernetes']
const INDEX = 'application/vnd.oci.image.index.v1+json'
const PUBLISHED = `ghcr.io/someone/vis:1.2.3@sha256:${'a'.repeat(64)}`

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
/** The manifest of an image: an index, different for each image. */
const buildManifest = (path: string) =>
  JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [], annotations: { path } })

interface RegistryFaults {
  readonly missing?: string
  readonly statedDigest?: string
  readonly type?: string
}

async function startRegistry(faults: RegistryFaults = {}) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry')
    if (pathname === '/token') {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ token: `for ${searchParams.get('scope')}` }))
      return
    }
    const [, name, tag] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(pathname) ?? []
    if (request.headers.authorization !== `Bearer for repository:${name}:pull`) {
      const realm = `Bearer realm="http://${request.headers.host}/token",service="test",scope="repository:${name}:pull"`
      response.writeHead(401, { 'WWW-Authenticate': realm }).end()
      return
    }
    asked.push(`${name}:${tag}`)
    if (name === faults.missing || !String(request.headers.accept).includes(INDEX)) {
      response.writeHead(404).end()
      return
    }
    const body = buildManifest(`${name}:${tag}`)
    const digest = faults.statedDigest ?? sha256(body)
    response.writeHead(200, { 'Content-Type': faults.type ?? INDEX, 'Docker-Content-Digest': digest }).end(body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  cleanUpAfterTests(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}`, find: () => `http://127.0.0.1:${port}` }
}

/** Copies the repository's files that name images to a new folder, as a release does. */
function copyFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vis-images-'))
  cleanUpAfterTests(() => rmSync(folder, { recursive: true }))
  for (const file of FILES) cpSync(join(REPOSITORY, file), join(folder, file), { recursive: true })
  return folder
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

describe('An image digest', () => {
  it.each([
    ['postgres:17', 'docker.io', 'library/postgres', '17'],
    ['valkey/valkey:8', 'docker.io', 'valkey/valkey', '8'],
    ['ghcr.io/someone/vis:1.2.3', 'ghcr.io', 'someone/vis', '1.2.3'],
    ['localhost:5000/vis', 'localhost:5000', 'vis', 'latest'],
  ])('is requested by registry, repository and tag: %s', (text, registry, repository, tag) => {
    expect(parseReference(text)).toEqual({ registry, repository, tag, digest: undefined })
  })

  it('is that of the manifest, fetched with the token for this repository', async () => {
    const { find } = await startRegistry()
    expect(await resolveDigest('postgres:17', find)).toBe(sha256(buildManifest('library/postgres:17')))
  })

  it.each<[string, RegistryFaults, string]>([
    ['an image that the registry does not have', { missing: 'library/postgres' }, 'answered with 404'],
    ['a registry that states another digest', { statedDigest: sha256('other') }, 'but its manifest has sha256:'],
    ['a page instead of a manifest', { type: 'text/html' }, 'text/html instead of a manifest'],
  ])('is refused for %s', async (_, faults, message) => {
    const { find } = await startRegistry(faults)
    await expect(resolveDigest('postgres:17', find)).rejects.toThrow(message)
  })
})

describe('Release files', () => {
  it('name images without digests in the repository', () => {
    expect(findImages(REPOSITORY).filter(({ reference }) => reference.includes('@'))).toEqual([])
    expect(findUnpinned(REPOSITORY, PUBLISHED)).toEqual(findImages(REPOSITORY))
  })

  it("pin images to the registry's digests and use the service's published image", async () => {
    const [folder, registry] = [copyFiles(), await startRegistry()]
    await pinImages(folder, PUBLISHED, registry.find)

    expect(findUnpinned(folder, PUBLISHED)).toEqual([])
    const node = registry.asked.find((name) => name.startsWith('library/node:')) ?? ''
    expect(read(folder, 'Dockerfile')).toContain(`ARG NODE=${node.slice(13)}@${sha256(buildManifest(node))}\n`)
    const { services } = parse(read(folder, 'compose.yaml'), { merge: true })
    expect(services.postgres.image).toMatch(/^postgres:17-bookworm@sha256:[0-9a-f]{64}$/)
    expect(services.api).toMatchObject({ image: PUBLISHED })
    expect(services.api).not.toHaveProperty('build')
    expect(parse(read(folder, 'deploy/kubernetes/image/kustomization.yaml')).images).toEqual([
      { name: 'vis', newName: 'ghcr.io/someone/vis', digest: PUBLISHED.split('@')[1] },
    ])
  })

  it('keep the image that compose.yaml builds if none was published', async () => {
    const [folder, registry] = [copyFiles(), await startRegistry()]
    await pinImages(folder, undefined, registry.find)

    expect(findUnpinned(folder, undefined)).toEqual([])
    expect(parse(read(folder, 'compose.yaml'), { merge: true }).services.api.build).toBe('.')
    expect(registry.asked.filter((name) => name.includes('vis'))).toEqual([])
  })

  it('fail the check if an image has no digest, and are not written if a registry fails', async () => {
    const [folder, registry] = [copyFiles(), await startRegistry({ missing: 'valkey/valkey' })]
    const before = read(folder, 'compose.yaml')
    await expect(pinImages(folder, PUBLISHED, registry.find)).rejects.toThrow('valkey/valkey')
    expect(read(folder, 'compose.yaml')).toBe(before)

    await pinImages(folder, PUBLISHED, (await startRegistry()).find)
    writeFileSync(
      join(folder, 'compose.yaml'),
      read(folder, 'compose.yaml').replace(/(postgres:17-bookworm)@\S+/, '$1'),
    )
    const script = join(REPOSITORY, 'tools/pin-images.ts')
    const ended = spawnSync(process.execPath, [script, '--check', folder, '--image', PUBLISHED], { encoding: 'utf8' })
    expect([ended.status, ended.stderr]).toEqual([1, 'compose.yaml: postgres:17-bookworm has no digest\n'])
  })
})
