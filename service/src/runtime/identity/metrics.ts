// Prometheus metrics of the sign-in process. docs/metrics.md explains each metric.
import { Counter, Gauge, type Registry } from '@prometheus-io/client'

export interface IdentityMetrics {
  countMail(result: string): void
  countRequest(kind: string, result: 'answered' | 'failed'): void
  /** Called only if this process sends e-mail. */
  showMail(mail: { readonly waiting: number; readonly oldestSeconds: number; readonly isDelayed: boolean }): void
  /** Shows how many members have ever become owners of an existing account. */
  showNewOwners(count: number): void
}

export function createIdentityMetrics(registry: Registry): IdentityMetrics {
  const registers = [registry]
  const mails = new Counter({
    name: 'vis_mails_total',
    help: 'Attempts to send a mail by result: sent, refused (by the mail server, for good), failed (will be tried again).',
    labelNames: ['result'] as const,
    registers,
  })
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
  let mailGauges: ReturnType<typeof createMailGauges> | undefined
  return {
    countMail: (result) => mails.inc({ result }),
    countRequest: (kind, result) => requests.inc({ kind, result }),
    showNewOwners: (count) => newOwners.set(count),
    showMail: ({ waiting, oldestSeconds, isDelayed }) => {
      mailGauges ??= createMailGauges(registers)
      mailGauges.waiting.set(waiting)
      mailGauges.oldest.set(oldestSeconds)
      mailGauges.delayed.set(isDelayed ? 1 : 0)
    },
  }
}

function createMailGauges(registers: Registry[]) {
  const create = (name: string, help: string) => new Gauge({ name, help, registers })
  return {
    waiting: create('vis_mails_waiting', 'Mails in the queue, when the process last looked.'),
    oldest: create('vis_mail_oldest_seconds', 'Age of the oldest mail in the queue, when the process last looked.'),
    delayed: create('vis_mail_delayed', 'Whether the mail server cannot be reached (1) or can (0).'),
  }
}
