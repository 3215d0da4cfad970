// Puts a provider's documents into a bundle. Hashes, signatures and publishers are verified here, because a bundle does
// not contain the provider's hashes and signatures.
import { readFile, rm } from 'node:fs/promises'
import type { CollectContext, Collection } from '../../../collect.ts'
import { isRejected } from '../../../feed.ts'
import { fetchLists, namesNoDocument } from './fetch.ts'
import {
  DOCUMENTS_PER_DELIVERY,
  downloadBatch,
  type Provider,
  readDocument,
  startBatches,
  summarise,
} from './fetch-documents.ts'
import { type ListedDocument, mergeLists } from './listing.ts'
import { fetchMetadata } from './metadata.ts'
import { fetchTrustedKeys } from './openpgp.ts'
import { type ProviderOptions, readFileName } from './provider-url.ts'

const MAX_SHOWN_ISSUES = 10

export async function collectFromProvider(options: ProviderOptions, context: CollectContext): Promise<Collection> {
  const metadata = await fetchMetadata(options, context)
  const lists = await fetchLists(metadata, { failed: {}, validators: {} }, options, context)
  const listed = mergeLists([...lists.values()].flatMap((list) => list ?? []))
  if (listed.length === 0) throw namesNoDocument(options.url)
  const pending: ListedDocument[] = []
  for (const document of listed) if (!(await context.keep(toBundleName(document), document.key))) pending.push(document)
  const selected = pending.slice(0, options.documentsPerRun)
  const keys = selected.length > 0 ? await fetchTrustedKeys(metadata, options, context) : []
  await collectDocuments(selected, pending.length - selected.length, {
    provider: { options, context, keys, publisher: metadata.publisher },
    context,
  })
  return { index: listed.length }
}

interface Target {
  readonly provider: Provider
  readonly context: CollectContext
}

async function collectDocuments(
  selected: readonly ListedDocument[],
  postponed: number,
  { provider, context }: Target,
): Promise<void> {
  const batch = startBatches(provider)
  const issues: string[] = []
  for (let from = 0; from < selected.length; from += DOCUMENTS_PER_DELIVERY) {
    const requested = selected.slice(from, from + DOCUMENTS_PER_DELIVERY)
    const { verified, failed, error } = await downloadBatch(batch, requested)
    for (const { document, path } of verified) {
      const reading = readDocument(await readFile(path), document, provider.publisher)
      if (isRejected(reading)) issues.push(`${reading.rejected}: ${reading.reason}`)
      else await addDocument(document, path, context)
      await rm(path, { force: true })
    }
    if (error) throw error
    issues.push(...failed.map(({ document, reason }) => `${readFileName(document.url)}: ${reason}`))
  }
  for (const issue of issues.slice(0, MAX_SHOWN_ISSUES)) context.notice(issue)
  if (issues.length > MAX_SHOWN_ISSUES)
    context.notice(`${issues.length - MAX_SHOWN_ISSUES} more documents could not be collected.`)
  for (const sentence of summarise(batch, { postponed })) context.notice(sentence)
}

async function addDocument(document: ListedDocument, path: string, context: CollectContext): Promise<void> {
  await context.add({ name: toBundleName(document), url: document.url.href, version: document.key, path })
}

/** The feed reads no names with a tilde from a directory. */
function toBundleName({ url }: ListedDocument): string {
  return readFileName(url).replaceAll('~', '_')
}
