// Adds the digest to every image named in the files of a release: the base image of the Dockerfile, the images of
// compose.yaml, and the image of the Kubernetes manifests. The repository itself names tags only; digests are resolved
// when a release is made, so that none has to be written by hand.
//   node tools/pin-images.ts DIR [--image REFERENCE] [--registry HOST=URL]…   resolves and writes, then checks
//   node tools/pin-images.ts --check DIR [--image REFERENCE]                  fails if a reference has no digest
// --image names the published image of the service with its digest. Without it, the service's own image is built on the
// host by compose.yaml, and its name in the Kubernetes manifests is a placeholder; both are left as they are.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type FindRegistry, findRegistry, isDigest, parseReference, resolveDigest } from './image-digest.ts'

/** A file that names images, and where to find them in it. */
interface PinnedFile {
  readonly path: string
  readonly pattern: RegExp
  /** Extracts the reference from a match of the pattern. */
  readonly read: (match: RegExpExecArray) => string
  readonly write: (match: RegExpExecArray, pinned: string) => string
}

const DOCKERFILE: PinnedFile = {
  path: 'Dockerfile',
  pattern: /^ARG NODE=(\S+)$/gm,
  read: ([, version]) => `node:${version}`,
  write: (_, pinned) => `ARG NODE=${pinned.slice('node:'.length)}`,
}
const COMPOSE: PinnedFile = {
  path: 'compose.yaml',
  // A published image is no longer built on the host.
  pattern: /^( +image: )(\S+)(?:\n +build: \.)?$/gm,
  read: ([, , reference = '']) => reference,
  write: ([, before], pinned) => `${before}${pinned}`,
}
const KUBERNETES: PinnedFile = {
  path: 'deploy/kubernetes/image/kustomization.yaml',
  pattern: /newName: ([^\s,]+), (?:newTag: ([^\s,]+)|digest: (\S+)) /g,
  read: ([, name = '', tag, digest]) => (digest === undefined ? `${name}:${tag}` : `${name}@${digest}`),
  write: (_, pinned) => {
    const [name = '', digest] = pinned.split('@')
    return `newName: ${name.replace(/:[^:/]+$/, '')}, digest: ${digest} `
  },
}
const FILES = [DOCKERFILE, COMPOSE, KUBERNETES]

/** Names of the service's own image in the repository. A release replaces them with the published image. */
const isOwnImage = (reference: string) => /^(images\.example\.org\/)?vis[:@]/.test(reference)

interface FoundImage {
  readonly path: string
  readonly reference: string
}

export function findImages(folder: string): readonly FoundImage[] {
  const found = FILES.flatMap(({ path, pattern, read }) =>
    Array.from(readFileSync(join(folder, path), 'utf8').matchAll(pattern), (match) => ({
      path,
      reference: read(match),
    })),
  )
  const missing = FILES.filter(({ path }) => !found.some((each) => each.path === path))
  if (missing.length > 0) throw new Error(`No image was found in ${missing.map(({ path }) => path).join(', ')}.`)
  return found
}

/** Returns the references without a digest. The service's own image needs one only if it was published. */
export function findUnpinned(folder: string, publishedImage: string | undefined): readonly FoundImage[] {
  return findImages(folder).filter(({ reference }) => {
    if (isOwnImage(reference)) return publishedImage !== undefined
    return !isDigest(reference.split('@')[1] ?? '')
  })
}

export async function pinImages(
  folder: string,
  publishedImage: string | undefined,
  find: FindRegistry = findRegistry,
): Promise<void> {
  if (publishedImage !== undefined && parseReference(publishedImage).digest === undefined)
    throw new Error(`--image must have a digest: ${publishedImage}`)
  const pinned = new Map<string, string>()
  for (const { reference } of findImages(folder)) {
    if (pinned.has(reference) || reference.includes('@')) continue
    if (!isOwnImage(reference)) pinned.set(reference, `${reference}@${await resolveDigest(reference, find)}`)
    else if (publishedImage !== undefined) pinned.set(reference, publishedImage)
  }
  for (const file of FILES) {
    const path = join(folder, file.path)
    const text = readFileSync(path, 'utf8')
    const matches = Array.from(text.matchAll(file.pattern))
    const written = matches.reduceRight((result, match) => {
      const replacement = pinned.get(file.read(match))
      if (replacement === undefined) return result
      const end = match.index + match[0].length
      return result.slice(0, match.index) + file.write(match, replacement) + result.slice(end)
    }, text)
    writeFileSync(path, written)
  }
}

/** Parses options such as docker.io=http://127.0.0.1:5000, for a mirror of a registry. */
function parseRegistries(options: readonly string[]): FindRegistry {
  const urls = new Map(options.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]))
  return (registry) => urls.get(registry) ?? findRegistry(registry)
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      image: { type: 'string' },
      registry: { type: 'string', multiple: true, default: [] },
    },
  })
  const [folder] = positionals
  if (folder === undefined) throw new Error('Name the folder of the release.')
  if (!values.check) await pinImages(folder, values.image, parseRegistries(values.registry))
  const unpinned = findUnpinned(folder, values.image)
  for (const { path, reference } of unpinned) console.error(`${path}: ${reference} has no digest`)
  if (unpinned.length > 0) process.exitCode = 1
  else for (const { path, reference } of findImages(folder)) console.log(`${path}: ${reference}`)
}
