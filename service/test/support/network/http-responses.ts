// A strict parser for the responses of a server on a plain socket. A client that reads leniently would not notice a
// response that starts in the middle of another one.

export interface WireResponse {
  readonly status: number
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface ParsedResponses {
  readonly responses: readonly WireResponse[]
  /** Bytes after the last complete response: the start of a response that has not arrived completely. */
  readonly rest: Buffer
}

const HEAD_END = Buffer.from('\r\n\r\n')
const START = Buffer.from('HTTP/1.1 ')
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [A-Za-z' -]+$/
const HEADER_LINE = /^([A-Za-z0-9-]+): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/

/**
 * Parses all complete responses at the start of `received`. `methods` are the methods of the requests in their order:
 * the final response to a HEAD request has no body. Throws an error for every byte that a response may not contain.
 */
export function parseResponses(received: Buffer, methods: readonly string[] = []): ParsedResponses {
  const responses: WireResponse[] = []
  let [rest, answered] = [received, 0]
  while (rest.length > 0) {
    const parsed = parseResponse(rest, methods[answered])
    if (!parsed) break
    responses.push(parsed.response)
    rest = rest.subarray(parsed.size)
    if (parsed.response.status >= 200) answered += 1
  }
  return { responses, rest }
}

function parseResponse(bytes: Buffer, method: string | undefined) {
  if (!bytes.subarray(0, START.length).equals(START.subarray(0, bytes.length)))
    throw new Error(`A response starts with ${JSON.stringify(bytes.toString('latin1', 0, 60))}.`)
  const headSize = bytes.indexOf(HEAD_END)
  if (headSize === -1) return undefined
  const { status, headers } = parseHead(bytes.toString('latin1', 0, headSize))
  const bodyStart = headSize + HEAD_END.length
  const size = bodyStart + findBodySize(status, headers, method)
  if (bytes.length < size) return undefined
  return { response: { status, headers, body: bytes.subarray(bodyStart, size) }, size }
}

function parseHead(head: string): Pick<WireResponse, 'status' | 'headers'> {
  const [first = '', ...lines] = head.split('\r\n')
  const status = STATUS_LINE.exec(first)?.[1]
  if (status === undefined) throw new Error(`${JSON.stringify(first)} is not a status line.`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? []
    if (name === '') throw new Error(`${JSON.stringify(line)} is not a header line.`)
    if (Object.hasOwn(headers, name.toLowerCase())) throw new Error(`The header ${name} occurs twice in ${head}`)
    headers[name.toLowerCase()] = value
  }
  return { status: Number(status), headers }
}

function findBodySize(status: number, headers: WireResponse['headers'], method: string | undefined): number {
  const length = headers['content-length']
  if (status < 200 || status === 204) {
    if (length !== undefined) throw new Error(`A response with the status ${status} has the header Content-Length.`)
    return 0
  }
  if (method === 'HEAD' || status === 304) return 0
  if (length === undefined || !/^\d+$/.test(length) || headers['transfer-encoding'] !== undefined)
    throw new Error(`A response with the status ${status} needs one Content-Length, and has ${length}.`)
  return Number(length)
}
