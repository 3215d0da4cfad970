// Runs promtool, which checks and tests Prometheus rules. promtool is part of Debian's package prometheus.
import { spawnSync } from 'node:child_process'

/** Reason why promtool cannot run, or undefined if promtool can run. */
export const whyNoPromtool: string | undefined =
  spawnSync('promtool', ['--version']).status === 0
    ? undefined
    : "promtool is not in the PATH: install Debian's package prometheus, or use .ci/run"

/** Returns the output of promtool if it fails, otherwise undefined. */
export function runPromtool(...args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return status === 0 ? undefined : `${stdout}${stderr}`
}
