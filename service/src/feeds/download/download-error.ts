// Why one attempt at a download failed, in words, and whether another attempt makes sense.

interface Circumstances {
  readonly cause?: unknown
  /** How long the upstream asked us to wait. */
  readonly waitMs?: number | undefined
}

/** Its message is the second half of a sentence that begins with the address. */
export class Trouble extends Error {
  override name = 'Trouble'
  readonly isPassing: boolean
  readonly waitMs: number

  constructor(message: string, isPassing: boolean, { cause, waitMs = 0 }: Circumstances = {}) {
    super(message, { cause })
    this.isPassing = isPassing
    this.waitMs = waitMs
  }
}

/** It may be over in a moment. */
export function passing(message: string, circumstances?: Circumstances): Trouble {
  return new Trouble(message, true, circumstances)
}

/** The same question would get the same answer. */
export function lasting(message: string, circumstances?: Circumstances): Trouble {
  return new Trouble(message, false, circumstances)
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the connection was cut before the answer was complete',
  EPIPE: 'the connection was cut before the answer was complete',
  ETIMEDOUT: 'the server could not be reached in time',
  EHOSTUNREACH: 'there is no route to the server',
  ENETUNREACH: 'there is no route to the network of the server',
  ENOTFOUND: 'DNS does not know the name of the host',
  EAI_AGAIN: 'DNS gave no answer for the name of the host',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
  HPE_CLOSED_CONNECTION: 'the server sent more than the length that it announced',
}

const UNKNOWN_AUTHORITY = 'the certificate of the server comes from an authority that we do not know'
const NO_TLS = 'the server does not speak TLS'

const TLS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet, or our clock is wrong',
  CERT_REVOKED: 'the certificate of the server was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is self-signed, expected one from a known authority',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${UNKNOWN_AUTHORITY}, or without the certificates in between`,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is made out to another name',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: `${NO_TLS}, or a kind of TLS that we do not accept`,
}
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_)/

const DISK: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'the folder may not be written to',
  EROFS: 'the folder may not be written to',
  ENOENT: 'the folder is not there',
}

export function toNetworkError(error: unknown): Trouble {
  if (error instanceof Trouble) return error
  const code = codeOf(error)
  if (NETWORK[code]) return passing(NETWORK[code], { cause: error })
  if (TLS[code]) return lasting(TLS[code], { cause: error })
  if (TLS_CODES.test(code)) return lasting(`no secure connection came about (${code})`, { cause: error })
  if (isProtocolError(error)) return passing(`what the server sent is not HTTP (${code})`, { cause: error })
  return lasting(`it failed in a way that nobody foresaw (${code})`, { cause: error })
}

/** The platform's parser of HTTP has its own family of codes. */
export function isProtocolError(error: unknown): boolean {
  return codeOf(error).startsWith('HPE_')
}

export function toDiskError(error: unknown): Trouble {
  const code = codeOf(error)
  return lasting(`it could not be stored: ${DISK[code] ?? code}`, { cause: error })
}

/** Messages of the platform may repeat what was sent, keys included. Codes do not. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error at all'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
