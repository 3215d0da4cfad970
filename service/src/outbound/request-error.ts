// Errors of a single download attempt, with a message for operators and a flag that says whether a retry makes sense.

interface ErrorDetails {
  readonly cause?: unknown
  /** Delay that the server requested with Retry-After. */
  readonly waitMs?: number | undefined
  readonly status?: number
}

/** Error of a download attempt. Its message continues the sentence "<address> could not be downloaded: ". */
export class DownloadError extends Error {
  override name = 'DownloadError'
  readonly isTransient: boolean
  readonly waitMs: number
  readonly status: number | undefined

  constructor(message: string, isTransient: boolean, { cause, waitMs = 0, status }: ErrorDetails = {}) {
    super(message, { cause })
    this.isTransient = isTransient
    this.waitMs = waitMs
    this.status = status
  }
}

/** The download may be retried. */
export function transient(message: string, details?: ErrorDetails): DownloadError {
  return new DownloadError(message, true, details)
}

/** A retry would fail in the same way. */
export function permanent(message: string, details?: ErrorDetails): DownloadError {
  return new DownloadError(message, false, details)
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the connection was closed before the response was complete',
  EPIPE: 'the connection was closed before the response was complete',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to the server',
  ENETUNREACH: "there is no route to the server's network",
  ENOTFOUND: 'the host name does not exist in DNS',
  EAI_AGAIN: 'DNS did not answer for the host name',
  HPE_HEADER_OVERFLOW: 'the response headers are too large',
  HPE_CLOSED_CONNECTION: 'the server sent more bytes than it announced',
}

const UNKNOWN_AUTHORITY = "the server's certificate is from an unknown authority"
const NO_TLS = 'the server does not support TLS'

const TLS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet, or our clock is wrong",
  CERT_REVOKED: "the server's certificate was revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed, expected one from a known authority",
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${UNKNOWN_AUTHORITY}, or intermediate certificates are missing`,
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host name",
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: `${NO_TLS}, or only an unsupported version`,
}
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_)/

const DISK: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'the directory is not writable',
  EROFS: 'the directory is not writable',
  ENOENT: 'the directory does not exist',
}

export function toNetworkError(error: unknown): DownloadError {
  if (error instanceof DownloadError) return error
  const code = readErrorCode(error)
  if (NETWORK[code]) return transient(NETWORK[code], { cause: error })
  if (TLS[code]) return permanent(TLS[code], { cause: error })
  if (TLS_CODES.test(code)) return permanent(`the TLS connection failed (${code})`, { cause: error })
  if (isProtocolError(error)) return transient(`the server sent invalid HTTP (${code})`, { cause: error })
  return permanent(`unexpected error ${code}`, { cause: error })
}

/** Error codes of Node's HTTP parser start with HPE_. */
export function isProtocolError(error: unknown): boolean {
  return readErrorCode(error).startsWith('HPE_')
}

export function toDiskError(error: unknown): DownloadError {
  const code = readErrorCode(error)
  return permanent(`the file could not be written: ${DISK[code] ?? code}`, { cause: error })
}

/** Uses only the error code, because Node's error messages may contain request headers with keys. */
function readErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
