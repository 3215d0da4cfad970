// The operators' port, never public: metrics for Prometheus, readiness for the balancer, liveness for the supervisor.
import { createServer, type Server } from 'node:http'

export interface Exposition {
  text(): Promise<string>
  readonly contentType: string
}

export function createOpsServer(metrics: Exposition, isReady: () => boolean): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path === '/metrics') {
      metrics.text().then(
        (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
        () => response.writeHead(500).end('the metrics could not be collected\n'),
      )
    } else if (path === '/ready') {
      const ready = isReady()
      response.writeHead(ready ? 200 : 503, { 'Content-Type': 'text/plain' }).end(ready ? 'ready\n' : 'draining\n')
    } else if (path === '/live') {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('alive\n')
    } else {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('here are /metrics, /ready and /live\n')
    }
  })
}
