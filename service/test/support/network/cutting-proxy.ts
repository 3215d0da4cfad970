// An HTTP proxy in front of the service that sends some answers completely and cuts all later ones off in the middle of
// the body, like a service that is killed during a series of calls.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { cleanUpAfterTests } from '../cleanup.ts'

/**
 * Returns the URL of a new proxy, which sends the given number of complete answers. `pageSize` replaces the page size
 * in requests for lists, so that a few records fill several pages.
 */
export async function createCuttingProxy(target: string, wholeAnswers: number, pageSize?: number): Promise<string> {
  let answered = 0
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? '/').replace(/(?<=[?&]limit=)\d+/, (limit) => String(pageSize ?? limit))
    void forward(new URL(path, target), incoming, outgoing, () => {
      answered += 1
      return answered > wholeAnswers
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  cleanUpAfterTests(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function forward(
  url: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isCut: () => boolean,
): Promise<void> {
  const body = await buffer(incoming)
  const { method, headers } = incoming
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers }, resolve).on('error', reject).end(body)
  })
  const content = await buffer(answer)
  outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, 'content-length': content.length })
  if (!isCut()) {
    outgoing.end(content)
    return
  }
  outgoing.write(content.subarray(0, content.length / 2), () => outgoing.destroy())
}
