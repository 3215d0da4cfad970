// Certificates made on the spot, since one in a repository expires some day: just enough DER for TLS to have an opinion.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

const [INTEGER, BIT_STRING, OCTET_STRING, OID, UTF8, TIME, SEQUENCE, SET] = [2, 3, 4, 6, 12, 24, 0x30, 0x31]
const [VERSION, EXTENSIONS, DNS_NAME, IP_ADDRESS] = [0xa0, 0xa3, 0x82, 0x87]
const BOOLEAN_TRUE = Buffer.from([1, 1, 0xff])

const ECDSA_WITH_SHA256 = tlv(SEQUENCE, oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const BASIC_CONSTRAINTS = oid('551d13')
const ALTERNATIVE_NAMES = oid('551d11')

/** Self-signed, and its own authority for whoever trusts it. */
export function makeCertificate(names: readonly string[], validUntil = new Date(Date.now() + 86_400_000)): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  // Of two authorities of the same name TLS would try the wrong one.
  const own = Buffer.from(`An upstream of the tests, ${randomBytes(8).toString('hex')}`)
  const name = tlv(SEQUENCE, tlv(SET, tlv(SEQUENCE, COMMON_NAME, tlv(UTF8, own))))
  const content = tlv(
    SEQUENCE,
    tlv(VERSION, tlv(INTEGER, Buffer.from([2]))),
    tlv(INTEGER, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    name,
    tlv(SEQUENCE, time(new Date('2020-01-01T00:00:00Z')), time(validUntil)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(EXTENSIONS, tlv(SEQUENCE, ...extensions(names))),
  )
  const signature = tlv(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(tlv(SEQUENCE, content, ECDSA_WITH_SHA256, signature)),
  }
}

function extensions(names: readonly string[]): Buffer[] {
  const alternatives = names.map((name) =>
    /^[\d.]+$/.test(name)
      ? tlv(IP_ADDRESS, Buffer.from(name.split('.').map(Number)))
      : tlv(DNS_NAME, Buffer.from(name)),
  )
  return [
    tlv(SEQUENCE, BASIC_CONSTRAINTS, BOOLEAN_TRUE, tlv(OCTET_STRING, tlv(SEQUENCE, BOOLEAN_TRUE))),
    tlv(SEQUENCE, ALTERNATIVE_NAMES, tlv(OCTET_STRING, tlv(SEQUENCE, ...alternatives))),
  ]
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

function oid(hex: string): Buffer {
  return tlv(OID, Buffer.from(hex, 'hex'))
}

function time(at: Date): Buffer {
  return tlv(TIME, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))
}

function pem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`
}
