// Makes the secret address of a feed.
import { hash, randomBytes } from 'node:crypto'
import { makeOwnFeed } from '../../accounts/watches/own-watches.ts'
import { tooManyFeeds } from '../../contract/watches/errors.ts'
import type { Services } from '../services.ts'
import { actForWatch, requireWatch } from './watches.ts'

const TOKEN_BYTES = 20

/** Only the digest of the token is stored, so the addresses cannot be shown again. */
export async function makeFeed(id: string, isRotation: boolean, services: Services) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const tokenDigest = hash('sha256', token, 'buffer')
  const change = await actForWatch(services, (accounts, credential) =>
    makeOwnFeed(accounts, credential, { id, tokenDigest, isRotation }),
  )
  if (change.outcome === 'limit') throw tooManyFeeds(change.allowed ?? 0)
  requireWatch(change, id)
  const address = (form: string) => {
    const path = `/feeds/${token}.${form}`
    return services.publicUrl === null ? path : new URL(path, services.publicUrl).href
  }
  return { atom: address('atom'), json: address('json') }
}
