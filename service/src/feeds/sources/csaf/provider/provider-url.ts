// Checks the addresses that a provider's files name. Everything behind `provider-metadata.json` is untrusted.
import { sanitizeText } from '../../../sanitize-text.ts'

export interface ProviderOptions {
  /** Address of `provider-metadata.json`. */
  readonly url: string
  /** The only hosts that lists, documents, hashes, signatures and keys may come from, each with its port unless default. */
  readonly hosts: readonly string[]
  /** Fingerprints of the OpenPGP keys that are trusted, in upper case. */
  readonly fingerprints: readonly string[]
  readonly documentsPerRun: number
  readonly pauseMs: number
}

const MAX_URL_LENGTH = 1000
/** Also rules out names that start with a dot. Providers use the forms `2024/name.json` and `name.json`. */
const FILE_NAME = /^[A-Za-z0-9_+-][A-Za-z0-9_+.~-]{0,250}$/
/** CSAF 2.0 permits only lower case letters in file names (section 5.1), but providers also use upper case. */
const DOCUMENT_NAME = /^[A-Za-z0-9_+-][A-Za-z0-9_+.~-]{0,240}\.json$/i

/** Returns the reason why the address cannot be used. */
export function checkUrl(url: URL, { hosts }: Pick<ProviderOptions, 'hosts'>): string | undefined {
  if (url.href.length > MAX_URL_LENGTH) return `the address is longer than ${MAX_URL_LENGTH} characters`
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'the address does not start with https://'
  if (url.username !== '' || url.password !== '') return 'the address contains a user name or password'
  if (!hosts.includes(url.host))
    return `the host ${sanitizeText(url.host, 100)} is not one of the provider's hosts (${hosts.join(', ')})`
  return undefined
}

/** Returns the reason why the path in a directory's list cannot be used. A path never leads out of the directory. */
export function checkPath(path: string): string | undefined {
  if (path.length > MAX_URL_LENGTH) return `the path is longer than ${MAX_URL_LENGTH} characters`
  const names = path.split('/')
  if (!names.slice(0, -1).every((name) => FILE_NAME.test(name)) || !DOCUMENT_NAME.test(names.at(-1) ?? ''))
    return 'the path is not of the form YEAR/NAME.json'
  return undefined
}

export function readFileName(url: URL): string {
  return url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
}

export function isDocumentName(name: string): boolean {
  return DOCUMENT_NAME.test(name)
}
