// The suite's HTTP client. It uses node:http instead of fetch, because many checks set headers that fetch changes or
// forbids: duplicate headers, Origin, Accept-Encoding, no Content-Type.

import http from 'node:http'
import https from 'node:https'
import zlib from 'node:zlib'
import { Skip } from './check.mjs'
import { Ledger } from './ledger.mjs'

const PREFIX = '/api/v1'
const TIMEOUT_MS = 30_000
const MAX_SHOWN_TARGET = 160

function toQueryString(query) {
  if (!query) return ''
  if (typeof query === 'string') return `?${query}`
  const pairs = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function decode(raw, encoding) {
  if (raw.length === 0) return ''
  if (encoding === 'gzip') return zlib.gunzipSync(raw).toString('utf8')
  return (encoding === 'br' ? zlib.brotliDecompressSync(raw) : raw).toString('utf8')
}

function parseJson(text) {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

class Answer {
  constructor(request, response, raw) {
    this.request = request
    this.status = response.statusCode
    this.headers = response.headers
    this.raw = raw
    this.text = decode(raw, this.headers['content-encoding'])
    this.json = parseJson(this.text)
  }

  get data() {
    return this.json?.data
  }

  get error() {
    return this.json?.error
  }

  get meta() {
    return this.json?.meta
  }

  header(name) {
    return this.headers[name.toLowerCase()]
  }

  /** Returns the comma-separated items of a header, in lower case. */
  headerItems(name) {
    const items = (this.header(name) ?? '').split(',')
    return items.map((item) => item.trim().toLowerCase()).filter(Boolean)
  }

  toString() {
    const { method, target, keyName } = this.request
    const isLong = target.length > MAX_SHOWN_TARGET
    const shown = isLong ? `${target.slice(0, MAX_SHOWN_TARGET)}…(${target.length})` : target
    const fault = this.error ? ` ${this.error.code} ${this.error.parameter ?? ''}` : ''
    return `${method} ${shown} [${keyName ?? 'no key'}] -> ${this.status}${fault}`
  }
}

export class Client {
  constructor({ url, keys }) {
    this.base = new URL(url)
    this.transport = this.base.protocol === 'https:' ? https : http
    this.agent = new this.transport.Agent({ keepAlive: true, maxSockets: 128 })
    this.keys = keys
    this.ledger = new Ledger()
    this.trace = []
  }

  get(path, query, options) {
    return this.call('GET', path, { query, ...options })
  }

  head(path, query, options) {
    return this.call('HEAD', path, { query, ...options })
  }

  batch(body, options) {
    return this.call('POST', '/cve/batch', { body, ...options })
  }

  match(body, options) {
    return this.call('POST', '/match', { body, ...options })
  }

  scan(body, query) {
    return this.call('POST', '/sbom', { body, query })
  }

  prioritize(body, options) {
    return this.call('POST', '/prioritize', { body, ...options })
  }

  health(options) {
    return this.call('GET', '/health', { root: true, key: null, ...options })
  }

  async usage(key = 'pro') {
    const answer = await this.get('/usage', undefined, { key })
    if (answer.status !== 200) throw new Error(`/usage cannot be read: ${answer}`)
    return answer.data.usage
  }

  /**
   * Sends one request. `key` is a name in keys.json, or null for no key. `body` is a text, or an object that is sent as
   * JSON. `contentType: null` sends no Content-Type. `root: true` means that the path is not below /api/v1.
   */
  async call(method, path, options = {}) {
    const { query, key = 'pro', headers = {}, body, contentType = 'application/json', root = false } = options
    const fullPath = root ? path : PREFIX + path
    const target = this.base.pathname.replace(/\/$/, '') + fullPath + toQueryString(query)
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const sent = { 'Accept-Encoding': 'gzip', ...this.#keyHeader(key), ...headers }
    if (payload !== undefined) {
      if (contentType) sent['Content-Type'] = contentType
      sent['Content-Length'] = Buffer.byteLength(payload)
    }
    for (const name of Object.keys(sent)) if (sent[name] === undefined) delete sent[name]
    const answer = await this.#sendOrExplain({ method, target, path: fullPath, keyName: key, headers: sent }, payload)
    this.ledger.record(answer)
    this.trace.push(`${answer} ${answer.meta?.correlationId ?? ''}`)
    return answer
  }

  close() {
    this.agent.destroy()
  }

  #keyHeader(name) {
    if (name === null) return {}
    const entry = this.keys[name]
    if (!entry) throw new Skip(`keys.json has no "${name}"`)
    return { 'X-API-Key': entry.key ?? entry }
  }

  async #sendOrExplain(request, payload) {
    try {
      return await this.#sendOrRetry(request, payload)
    } catch (error) {
      const shown = `${request.method} ${request.target.slice(0, MAX_SHOWN_TARGET)}`
      this.trace.push(`${shown} -> ${error.message}`)
      throw new Error(`${shown} got no answer (${error.message})`, { cause: error })
    }
  }

  /** Repeats a request if the server closed an idle connection at the moment the client reused it. */
  async #sendOrRetry(request, payload) {
    try {
      return await this.#send(request, payload)
    } catch (error) {
      if (!error.isStaleConnection) throw error
      return await this.#send(request, payload)
    }
  }

  #send(request, payload) {
    return new Promise((resolve, reject) => {
      const outgoing = this.transport.request(this.#requestOptions(request), (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          try {
            resolve(new Answer(request, response, Buffer.concat(chunks)))
          } catch (error) {
            reject(error)
          }
        })
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')))
      outgoing.on('error', (error) => {
        error.isStaleConnection = outgoing.reusedSocket && error.code === 'ECONNRESET'
        reject(error)
      })
      outgoing.end(payload)
    })
  }

  #requestOptions({ method, target, headers }) {
    const { hostname, port } = this.base
    return { hostname, port, agent: this.agent, timeout: TIMEOUT_MS, method, path: target, headers }
  }
}
