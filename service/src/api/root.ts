// Redirects browsers from / to the console or, if there is none, to the guide. Other clients get 404.
import type { FastifyInstance } from 'fastify'

export function serveRoot(app: FastifyInstance, startPage: string): void {
  app.route({
    method: app.supportedMethods,
    url: '/',
    handler: (request, reply) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (!isRead || !acceptsHtml(request.headers.accept)) return reply.callNotFound()
      request.endpointName = 'root'
      return reply.headers({ Vary: 'Accept', 'Cache-Control': 'no-store' }).redirect(startPage, 302)
    },
  })
}

/** Browsers name `text/html`; other programs name another type or accept any type. */
function acceptsHtml(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((each) => each.trim().toLowerCase())
    return type === 'text/html' && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each))
  })
}
