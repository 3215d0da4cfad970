// HTTP server on the operators' port, which must not be public: metrics for Prometheus, readiness for the load balancer
// and liveness for the process supervisor.
import { createServer, type Server } from 'node:http'

export interface MetricsPage {
  text(): Promise<string>
  readonly contentType: string
}

/** `describeState` adds to /ready what a ready process still lacks. */
export function createOpsServer(
  metrics: MetricsPage,
  isReady: () => boolean,
  describeState: () => string = () => 'ready',
): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path === '/metrics') {
      metrics.text().then(
        (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
        () => response.writeHead(500).end('collecting the metrics failed\n'),
      )
    } else if (path === '/ready') {
      const ready = isReady()
      response
        .writeHead(ready ? 200 : 503, { 'Content-Type': 'text/plain' })
        .end(ready ? `${describeState()}\n` : 'draining\n')
    } else if (path === '/live') {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('alive\n')
    } else {
      response
        .writeHead(404, { 'Content-Type': 'text/plain' })
        .end('not found: this port serves /metrics, /ready and /live\n')
    }
  })
}
