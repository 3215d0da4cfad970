// Program of a client process: runs the tasks that its parent process sends, one after another.
import { type AttackTask, runAttack } from './attacker.ts'
import { runVictim, type VictimTask } from './victim.ts'

process.on('message', (task: AttackTask | VictimTask) => {
  void run(task).then((result) => process.send?.(result))
})

function run(task: AttackTask | VictimTask): Promise<unknown> {
  return task.role === 'victim' ? runVictim(task) : runAttack(task)
}
