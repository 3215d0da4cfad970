// Refuses requests caused by pages of other origins (CSRF). The session cookie has SameSite=Lax, so most such requests
// do not carry it; this check does not depend on the browser's rules for cookies.
import type { FastifyRequest } from 'fastify'
import { isOwnOrigin } from '../api/admission/allow-origin.ts'
import { readHeaderValues } from '../api/header-values.ts'
import { crossOriginRefused } from '../contract/response/errors.ts'

const READ_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']
const JSON_TYPE = /^application\/json(?: *; *charset="?utf-8"?)?$/i

/**
 * Throws 403 unless the request may come from a page of this service. Browsers set Sec-Fetch-Site, and pages cannot
 * change it. A browser without Sec-Fetch-Site sends the Origin header with every change. JSON is required, because
 * forms on pages of other origins cannot send it.
 */
export function assertSameOrigin(request: FastifyRequest, publicUrl: string | null): void {
  const sites = readHeaderValues(request.raw, 'sec-fetch-site')
  if (READ_METHODS.includes(request.method)) {
    if (sites.some((site) => site === 'cross-site' || site === 'same-site')) throw crossOriginRefused()
    return
  }
  const isSameOrigin =
    sites.length > 0 ? sites.every((site) => site === 'same-origin') : hasOwnOrigin(request, publicUrl)
  if (!isSameOrigin || !hasJsonType(request)) throw crossOriginRefused()
}

function hasOwnOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const [origin, second] = readHeaderValues(request.raw, 'origin')
  return origin !== undefined && second === undefined && isOwnOrigin(request, origin, publicUrl)
}

function hasJsonType(request: FastifyRequest): boolean {
  const [type, second] = readHeaderValues(request.raw, 'content-type')
  return type !== undefined && second === undefined && JSON_TYPE.test(type)
}
