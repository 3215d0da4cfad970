// The cookie that holds the session id of the console.
//
// Over HTTPS its name is __Host-vis: browsers accept a cookie with this prefix only if it is Secure, has the path / and no
// domain, so that no other host can set it. Over HTTP the service uses a cookie only at loopback addresses, where browsers
// may refuse Secure cookies.
import type { FastifyRequest } from 'fastify'
import { readHeaderValues } from '../api/header-values.ts'

const SECURE_NAME = '__Host-vis'
const LOOPBACK_NAME = 'vis'
/** The cookie for signing in at an OpenID Connect provider has the name of the session cookie with this suffix. */
const OIDC_SUFFIX = '-oidc'
/** The longest that a session can last. The database decides when it ends. */
const MAX_AGE_SECONDS = 7 * 86_400
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

type Connection = 'https' | 'loopback' | 'insecure'

/**
 * Returns the values of all session cookies. Browsers send one; if there are several, another host may have set one.
 */
export function readSessionCookies(request: FastifyRequest, publicUrl: string | null): readonly string[] {
  return readCookies(request, publicUrl, '')
}

/** Returns undefined unless there is exactly one such cookie. */
export function readOidcCookie(request: FastifyRequest, publicUrl: string | null): string | undefined {
  const [value, second] = readCookies(request, publicUrl, OIDC_SUFFIX)
  return second === undefined ? value : undefined
}

function readCookies(request: FastifyRequest, publicUrl: string | null, suffix: string): readonly string[] {
  const cookies = readHeaderValues(request.raw, 'cookie')
    .flatMap((header) => header.split(';'))
    .map(trimSpaces)
  const secure = findValues(cookies, SECURE_NAME + suffix)
  const isLoopback = classifyConnection(request, publicUrl) === 'loopback'
  return secure.length > 0 || !isLoopback ? secure : findValues(cookies, LOOPBACK_NAME + suffix)
}

/**
 * Removes spaces and tabs at both ends (RFC 6265, section 5.2). String.trim would also remove characters such as U+00A0,
 * which browsers accept in the name of a cookie: another host could then set a cookie that looks like __Host-vis here.
 */
function trimSpaces(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isSpace(text[start])) start += 1
  while (end > start && isSpace(text[end - 1])) end -= 1
  return text.slice(start, end)
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

/** Returns undefined if the browser would refuse the cookie: over HTTP, except at loopback addresses. */
export function formatSessionCookie(request: FastifyRequest, publicUrl: string | null, id: string): string | undefined {
  return formatCookie(classifyConnection(request, publicUrl), '', id, MAX_AGE_SECONDS)
}

export function formatRemovedCookie(request: FastifyRequest, publicUrl: string | null): string | undefined {
  return formatCookie(classifyConnection(request, publicUrl), '', '', 0)
}

/** An age of 0 removes the cookie. */
export function formatOidcCookie(
  request: FastifyRequest,
  publicUrl: string | null,
  value: string,
  maxAgeSeconds: number,
): string | undefined {
  return formatCookie(classifyConnection(request, publicUrl), OIDC_SUFFIX, value, maxAgeSeconds)
}

function formatCookie(
  connection: Connection,
  suffix: string,
  value: string,
  maxAgeSeconds: number,
): string | undefined {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`
  switch (connection) {
    case 'https':
      return `${SECURE_NAME}${suffix}=${value}; ${attributes}; Secure`
    case 'loopback':
      return `${LOOPBACK_NAME}${suffix}=${value}; ${attributes}`
    case 'insecure':
      return undefined
  }
}

/** A proxy that terminates TLS hides it, so PUBLIC_URL and the Origin header of changes count too. */
function classifyConnection(request: FastifyRequest, publicUrl: string | null): Connection {
  const addresses = [`${request.protocol}:`, publicUrl ?? '', request.headers.origin ?? '']
  if (addresses.some((address) => address.toLowerCase().startsWith('https:'))) return 'https'
  return LOOPBACK_HOSTS.includes(request.hostname.toLowerCase()) ? 'loopback' : 'insecure'
}

function findValues(cookies: readonly string[], name: string): string[] {
  return cookies.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}
