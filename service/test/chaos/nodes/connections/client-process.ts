// Program of a client process. It runs one task, so that thousands of sockets delay no client whose latency counts, and
// each process has file descriptors of its own.
import { type KeepAliveTask, runKeepAlive } from './keep-alive-sockets.ts'
import { runStorm, type StormTask } from './storm.ts'

process.once('message', (task: KeepAliveTask | StormTask) => {
  const work = task.kind === 'storm' ? runStorm(task) : runKeepAlive(task)
  void work.then((result) => process.send?.(result, () => process.exit(0)))
})
