// The list of endpoints: the only file besides its own folder that a new endpoint touches.
import type { ServedEndpoint } from '../call.ts'
import { getUsage } from './get-usage/endpoint.ts'
import { health } from './health/endpoint.ts'
import { ping } from './ping/endpoint.ts'
import { pingLite } from './ping-lite/endpoint.ts'

export const endpoints: readonly ServedEndpoint[] = [
  // In the order in which the documentation shows them.
  health,
  ping,
  pingLite,
  getUsage,
]
