// Reads a provider's `provider-metadata.json`, which says where its documents are listed (section 7.1.7 of CSAF 2.0).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import type { DownloadContext } from '../../../download.ts'
import { FeedError } from '../../../feed.ts'
import { parseRecord } from '../../../formats/parse-json.ts'
import { compileSchema } from '../../../schema-check.ts'
import { checkUrl, type ProviderOptions } from './provider-url.ts'

export interface ProviderMetadata {
  readonly distributions: readonly Distribution[]
  /** Where the provider offers its public keys. They count only if their fingerprints are pinned. */
  readonly keyUrls: readonly URL[]
  /** The namespace of the publisher, such as `https://www.example.com`. */
  readonly publisher: string
}

/** The list of a distribution: a ROLIE feed, or a directory with `changes.csv`. */
export interface Distribution {
  readonly kind: 'rolie' | 'directory'
  readonly url: URL
}

const MAX_METADATA_BYTES = 1024 ** 2
/** The largest known provider has five lists. */
const MAX_DISTRIBUTIONS = 50
const MAX_KEYS = 20
/** Only documents that anyone may read and pass on are imported. Providers also list feeds for closed groups. */
const PUBLIC_LABELS = ['WHITE', 'CLEAR', 'UNLABELED']

const METADATA = compileSchema(
  Type.Object({
    distributions: Type.Array(
      Type.Object({
        directory_url: Type.Optional(Type.String()),
        rolie: Type.Optional(
          Type.Object({
            feeds: Type.Array(Type.Object({ url: Type.String(), tlp_label: Type.Optional(Type.String()) })),
          }),
        ),
      }),
      { minItems: 1, maxItems: MAX_DISTRIBUTIONS },
    ),
    publisher: Type.Object({ namespace: Type.String() }),
    public_openpgp_keys: Type.Optional(Type.Array(Type.Object({ url: Type.String() }), { maxItems: MAX_KEYS })),
  }),
)

export async function fetchMetadata(options: ProviderOptions, context: DownloadContext): Promise<ProviderMetadata> {
  const path = join(context.spool, 'provider-metadata.json')
  const { url, hosts } = options
  await context.download.file({ url, maxBytes: MAX_METADATA_BYTES, redirectHosts: hosts }, path)
  const parsed = parseRecord(await readFile(path))
  if ('error' in parsed) throw new FeedError(`${url} cannot be used: ${parsed.error}`)
  const { value } = parsed
  if (!METADATA.matches(value)) throw new FeedError(`${url} cannot be used: ${METADATA.describeMismatch(value)}`)
  const toUrl = (text: string) => resolveUrl(text, options)
  const feeds = value.distributions.flatMap(({ rolie }) => rolie?.feeds ?? [])
  const rolie = feeds.filter(({ tlp_label: label = 'UNLABELED' }) => PUBLIC_LABELS.includes(label.toUpperCase()))
  const directories = value.distributions.flatMap(({ directory_url: directory }) => directory ?? [])
  if (rolie.length + directories.length === 0)
    throw new FeedError(`${url} names neither a directory nor a public ROLIE feed`)
  if (rolie.length > MAX_DISTRIBUTIONS)
    throw new FeedError(`${url} names ${rolie.length} ROLIE feeds, at most ${MAX_DISTRIBUTIONS} are allowed`)
  return {
    // Each distribution must list all documents, so a second one would be the same requests again. ROLIE also names the
    // files with hashes and signatures.
    distributions:
      rolie.length > 0
        ? rolie.map((each) => ({ kind: 'rolie', url: toUrl(each.url) }))
        : directories.map((each) => ({ kind: 'directory', url: toUrl(each.endsWith('/') ? each : `${each}/`) })),
    publisher: value.publisher.namespace,
    keyUrls: (value.public_openpgp_keys ?? []).map((key) => toUrl(key.url)),
  }
}

function resolveUrl(text: string, options: ProviderOptions): URL {
  const url = URL.parse(text, options.url)
  const issue = url ? checkUrl(url, options) : 'it is not a URL'
  if (!url || issue) throw new FeedError(`${options.url} names an address that cannot be used: ${issue}`)
  return url
}
