// A process `vis-server jobs` whose metrics a test can read.
import { type FeedsProcess, startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { freePort } from '../../../tools/free-port.ts'

export interface Worker extends FeedsProcess {
  /** Returns how many jobs of a queue ended with a result, or undefined if the process does not respond. */
  countJobs(queue: string, result: string): Promise<number | undefined>
}

export async function startWorker(environment: Readonly<Record<string, string>>): Promise<Worker> {
  const port = await freePort()
  const worker = startFeeds(['jobs'], { ...environment, WORKER_OPS_PORT: String(port) })
  return {
    ...worker,
    countJobs: async (queue, result) => {
      const series = `vis_jobs_total{queue="${queue}",result="${result}"} `
      const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined)
      if (!response) return undefined
      const line = (await response.text()).split('\n').find((each) => each.startsWith(series))
      return Number(line?.slice(series.length) ?? 0)
    },
  }
}
