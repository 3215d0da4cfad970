// Creates TLS certificates while the tests run, because a certificate in the repository would expire. Encodes only the
// DER fields that TLS clients check.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

const [INTEGER, BIT_STRING, OCTET_STRING, OID, UTF8, TIME, SEQUENCE, SET] = [2, 3, 4, 6, 12, 24, 0x30, 0x31]
const [VERSION, EXTENSIONS, DNS_NAME, IP_ADDRESS] = [0xa0, 0xa3, 0x82, 0x87]
const BOOLEAN_TRUE = Buffer.from([1, 1, 0xff])

const ECDSA_WITH_SHA256 = encodeTlv(SEQUENCE, encodeOid('2a8648ce3d040302'))
const COMMON_NAME = encodeOid('550403')
const BASIC_CONSTRAINTS = encodeOid('551d13')
const ALTERNATIVE_NAMES = encodeOid('551d11')

/** Creates a self-signed certificate. A client needs only this certificate in its list of trusted authorities. */
export function createCertificate(
  names: readonly string[],
  validUntil = new Date(Date.now() + 86_400_000),
): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  // The name is random: if a client trusted two certificates of the same name, it would check against the wrong one.
  const commonName = Buffer.from(`Test upstream ${randomBytes(8).toString('hex')}`)
  const name = encodeTlv(SEQUENCE, encodeTlv(SET, encodeTlv(SEQUENCE, COMMON_NAME, encodeTlv(UTF8, commonName))))
  const content = encodeTlv(
    SEQUENCE,
    encodeTlv(VERSION, encodeTlv(INTEGER, Buffer.from([2]))),
    encodeTlv(INTEGER, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    name,
    encodeTlv(SEQUENCE, encodeTime(new Date('2020-01-01T00:00:00Z')), encodeTime(validUntil)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeTlv(EXTENSIONS, encodeTlv(SEQUENCE, ...encodeExtensions(names))),
  )
  const signature = encodeTlv(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: encodePem(encodeTlv(SEQUENCE, content, ECDSA_WITH_SHA256, signature)),
  }
}

function encodeExtensions(names: readonly string[]): Buffer[] {
  const alternatives = names.map((name) =>
    /^[\d.]+$/.test(name)
      ? encodeTlv(IP_ADDRESS, Buffer.from(name.split('.').map(Number)))
      : encodeTlv(DNS_NAME, Buffer.from(name)),
  )
  return [
    encodeTlv(SEQUENCE, BASIC_CONSTRAINTS, BOOLEAN_TRUE, encodeTlv(OCTET_STRING, encodeTlv(SEQUENCE, BOOLEAN_TRUE))),
    encodeTlv(SEQUENCE, ALTERNATIVE_NAMES, encodeTlv(OCTET_STRING, encodeTlv(SEQUENCE, ...alternatives))),
  ]
}

function encodeTlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

function encodeOid(hex: string): Buffer {
  return encodeTlv(OID, Buffer.from(hex, 'hex'))
}

function encodeTime(at: Date): Buffer {
  return encodeTlv(TIME, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))
}

function encodePem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`
}
