import { createMessage, enums, generateKey, reformatKey, sign } from 'openpgp'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFeedHarness } from '../../../feed-harness.ts'
import { published, startProvider, toPath } from './played-provider.ts'

const harness = await createFeedHarness()
const [A, B] = ['ACME-2024-1', 'ACME-2024-2']
const YEAR_SECONDS = 365 * 86_400
const SIGNED_AT = new Date('2026-08-20T10:00:00Z')

async function createSigner() {
  const { privateKey, publicKey } = await generateKey({
    userIDs: [{ name: 'Acme PSIRT' }],
    date: new Date('2025-08-01T00:00:00Z'),
    format: 'object',
  })
  return {
    privateKey,
    fingerprint: publicKey.getFingerprint().toUpperCase(),
    armored: publicKey.armor(),
    sign: async (content: Buffer, date = SIGNED_AT) =>
      sign({
        message: await createMessage({ binary: content }),
        signingKeys: privateKey,
        detached: true,
        date,
        config: { preferredHashAlgorithm: enums.hash.sha256 },
      }),
  }
}

const [signer, stranger] = [await createSigner(), await createSigner()]

async function startSigned(
  play: Parameters<typeof startProvider>[1] & { readonly trusted?: string; readonly offered?: string } = {},
) {
  const { trusted = signer.fingerprint, offered = signer.armored } = play
  const provider = await startProvider(harness, {
    sign: signer.sign,
    limits: { fingerprints: [trusted] },
    ...play,
  })
  provider.serve('provider-metadata.json', {
    distributions: [{ directory_url: provider.address('') }],
    publisher: { namespace: 'https://acme.example' },
    public_openpgp_keys: [{ fingerprint: trusted, url: provider.address('key.asc') }],
  })
  provider.serve('key.asc', offered)
  return provider
}

beforeEach(harness.reset)

describe('CSAF provider whose key is pinned', () => {
  it('imports documents whose hash and signature are valid', async () => {
    const provider = await startSigned()
    provider.publish(published(A), published(B))

    expect(await provider.sync()).toMatchObject({
      outcome: 'succeeded',
      written: 2,
      notices: ['Downloaded 2 documents; verified 2 hashes and 2 signatures.'],
    })
  })

  it('rejects a document that was changed after it was signed', async () => {
    const provider = await startSigned({ hashes: false })
    provider.publish(published(A), published(B))
    provider.serve(toPath(B), published(B, undefined, { title: 'changed by an attacker' }).content)

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 1, rejected: 1 })
    expect(await harness.listRejections()).toEqual([
      { subject: 'acme-2024-2.json', reason: expect.stringMatching(/signature is not valid: .*(digest|signature)/i) },
    ])
  })

  it('rejects a document without a signature', async () => {
    const provider = await startSigned()
    provider.publish(published(A), published(B))
    provider.serve(`${toPath(B)}.asc`, (_request, response) => response.writeHead(404).end())

    expect(await provider.sync()).toMatchObject({ written: 1, rejected: 1 })
    expect(await harness.listRejections()).toMatchObject([{ reason: 'the document has no signature' }])
  })

  it('rejects a document that another key has signed', async () => {
    const provider = await startSigned({ sign: stranger.sign })
    provider.publish(published(A))

    expect(await provider.sync()).toMatchObject({ written: 0, rejected: 1 })
    expect(await harness.listRejections()).toMatchObject([
      { reason: expect.stringContaining('Could not find signing key') },
    ])
  })

  it('rejects a document that was signed after the key had expired', async () => {
    const { publicKey } = await reformatKey({
      privateKey: signer.privateKey,
      userIDs: [{ name: 'Acme PSIRT' }],
      date: new Date('2025-08-02T00:00:00Z'),
      keyExpirationTime: YEAR_SECONDS,
      format: 'object',
    })
    const provider = await startSigned({ offered: publicKey.armor() })
    provider.publish(published(A))

    expect(await provider.sync()).toMatchObject({ written: 0, rejected: 1 })
    expect(await harness.listRejections()).toMatchObject([{ reason: expect.stringMatching(/expired|valid/) }])
  })

  it('accepts a signature that is older than the end of the key', async () => {
    const { publicKey } = await reformatKey({
      privateKey: signer.privateKey,
      userIDs: [{ name: 'Acme PSIRT' }],
      date: new Date('2025-08-02T00:00:00Z'),
      keyExpirationTime: YEAR_SECONDS,
      format: 'object',
    })
    const provider = await startSigned({
      offered: publicKey.armor(),
      sign: (content) => signer.sign(content, new Date('2026-01-01T00:00:00Z')),
    })
    provider.publish(published(A))

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
  })

  it('fails when the provider offers only a key that is not pinned, and stores nothing', async () => {
    const provider = await startSigned({ sign: stranger.sign, offered: stranger.armored })
    provider.publish(published(A))

    expect(await provider.sync()).toMatchObject({
      outcome: 'failed',
      written: 0,
      error: expect.stringContaining('offers no key with a trusted fingerprint'),
    })
  })

  it('fails when the key is an HTML page', async () => {
    const provider = await startSigned({ offered: 'not a key' })
    provider.publish(published(A))

    expect(await provider.sync()).toMatchObject({ outcome: 'failed', written: 0 })
  })

  it('tries a rejected document again and imports it once its signature is right', async () => {
    const provider = await startSigned()
    provider.publish(published(A), published(B))
    provider.serve(`${toPath(B)}.asc`, 'not a signature')
    expect(await provider.sync()).toMatchObject({ written: 1, rejected: 1 })
    provider.publish(published(A), published(B))

    expect(await provider.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
  })
})
