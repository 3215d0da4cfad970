// Prometheus metrics of jobs. docs/metrics.md explains each metric. Every process shows the same state of the queues,
// which it reads from the database every few seconds.
import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { QueueState } from '../../jobs/read-jobs.ts'
import type { JobResult } from '../../jobs/runner.ts'
import type { MailResult } from './send-mail.ts'

export interface JobMetrics {
  countJob(queue: string, result: JobResult): void
  countMail(result: MailResult): void
  showQueues(states: readonly QueueState[]): void
  /** Called only if this process sends mails. */
  showMailServer(isDelayed: boolean): void
}

export function createJobMetrics(registry: Registry): JobMetrics {
  const registers = [registry]
  const jobs = new Counter({
    name: 'vis_jobs_total',
    help: 'Jobs that this process ran, by queue and result: finished, failed (will be tried again), dead, lost, stopped.',
    labelNames: ['queue', 'result'] as const,
    registers,
  })
  const mails = new Counter({
    name: 'vis_mails_total',
    help: 'Attempts to send a mail by result: sent, refused (by the mail server, for good), failed (will be tried again).',
    labelNames: ['result'] as const,
    registers,
  })
  const createQueueGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['queue'] as const, registers })
  const waiting = createQueueGauge('vis_jobs_waiting', 'Jobs that are due or wait for another attempt.')
  const oldest = createQueueGauge('vis_job_oldest_seconds', 'Age of the oldest job that waits; 0 if none does.')
  const failed = createQueueGauge('vis_jobs_failed', 'Jobs that failed and wait for another attempt.')
  const dead = createQueueGauge('vis_jobs_dead', 'Jobs that failed for the last time and wait for an operator.')
  const finished = createQueueGauge(
    'vis_job_last_success_timestamp_seconds',
    'Time when a job of the queue last finished; 0 if none did within two days.',
  )
  let mailDelayed: Gauge | undefined
  return {
    countJob: (queue, result) => jobs.inc({ queue, result }),
    countMail: (result) => mails.inc({ result }),
    showQueues: (states) => {
      for (const { queue, ...state } of states) {
        waiting.set({ queue }, state.waiting)
        oldest.set({ queue }, state.oldestSeconds)
        failed.set({ queue }, state.failed)
        dead.set({ queue }, state.dead)
        finished.set({ queue }, (state.lastFinishedAt?.getTime() ?? 0) / 1000)
      }
    },
    showMailServer: (isDelayed) => {
      mailDelayed ??= new Gauge({
        name: 'vis_mail_delayed',
        help: 'Whether the mail server cannot be reached (1) or can (0).',
        registers,
      })
      mailDelayed.set(isDelayed ? 1 : 0)
    },
  }
}
