// Prometheus metrics of the sign-in process. docs/metrics.md explains each metric.
import { Counter, Gauge, type Registry } from '@prometheus-io/client'

export interface IdentityMetrics {
  countRequest(kind: string, result: 'answered' | 'failed'): void
  /** Shows how many members have ever become owners of an existing account. */
  showNewOwners(count: number): void
}

export function createIdentityMetrics(registry: Registry): IdentityMetrics {
  const registers = [registry]
  const requests = new Counter({
    name: 'vis_identity_requests_total',
    help: 'Requests for a sign-in that API nodes have forwarded, by kind and result: answered, failed.',
    labelNames: ['kind', 'result'] as const,
    registers,
  })
  const newOwners = new Gauge({
    name: 'vis_new_owners',
    help: 'Members who have ever become owners of an account that existed before.',
    registers,
  })
  return {
    countRequest: (kind, result) => requests.inc({ kind, result }),
    showNewOwners: (count) => newOwners.set(count),
  }
}
