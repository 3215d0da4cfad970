// The web console: its files, its sessions, and the API endpoints that a session may call. CONSOLE=off disables all of
// it.
import type { FastifyInstance } from 'fastify'
import type { ApiContext } from '../api/api-context.ts'
import { register } from '../api/register.ts'
import type { ServedEndpoint } from '../api/services.ts'
import { createSessionAdmission } from './admit-session.ts'
import type { ConsoleFiles } from './files.ts'
import type { ConsoleContext } from './find-session.ts'
import { registerLinkRoutes } from './link-routes.ts'
import { registerOidcRoutes } from './oidc-routes.ts'
import { serveConsoleFiles } from './serve-files.ts'
import { registerSessionRoutes } from './session-routes.ts'

export interface ConsoleOptions {
  readonly context: ConsoleContext
  readonly files: ConsoleFiles | undefined
}

export function serveConsole(
  app: FastifyInstance,
  endpoints: readonly ServedEndpoint[],
  api: ApiContext,
  { context, files }: ConsoleOptions,
): void {
  // Public endpoints need no session: pages call them at their usual paths.
  const withCaller = endpoints.filter((endpoint) => endpoint.access === 'key' && endpoint.console)
  register(app, withCaller, api, createSessionAdmission(context))
  registerSessionRoutes(app, api, context)
  registerLinkRoutes(app, api, context)
  registerOidcRoutes(app, api, context)
  serveConsoleFiles(app, files)
}
