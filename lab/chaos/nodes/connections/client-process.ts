// Program of a client process. It runs one task, so that thousands of sockets delay no client whose latency counts, and
// each process has file descriptors of its own.
import { type KeepAliveTask, runKeepAlive } from './keep-alive-sockets.ts'
import { runStorm, type StormTask } from './storm.ts'

process.once('message', (task: KeepAliveTask | StormTask) => {
  const [work, staysMs] = task.kind === 'storm' ? [runStorm(task), task.leftOpenMs] : [runKeepAlive(task), 0]
  void work.then((result) => process.send?.(result, () => setTimeout(() => process.exit(0), staysMs)))
})
