// Compares the CI workflow with the steps of tools/verify.ts.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { groupSteps, STEPS } from '../../../tools/verify.ts'

const REPOSITORY = join(import.meta.dirname, '../../..')

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly strategy: { readonly matrix: { readonly job: readonly { readonly steps: string }[] } } }>
  >
}

const workflow: Workflow = parse(readFileSync(join(REPOSITORY, '.github/workflows/ci.yml'), 'utf8'))

function listWorkflowSteps(job: string): readonly string[] {
  const lists = workflow.jobs[job]?.strategy.matrix.job.map(({ steps }) => steps.replace(/ --shard .*/, '').split(' '))
  return [...new Set(lists?.flat())].sort()
}

const runVerify = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ['tools/verify.ts', ...args], { cwd: REPOSITORY })

describe('The CI workflow', () => {
  it('runs every daily step of npm run verify on each push', () => {
    const daily = Object.keys(STEPS).filter((name) => !STEPS[name]?.isNightly)

    expect(listWorkflowSteps('verify')).toEqual(daily.sort())
  })

  it('runs every nightly step of npm run verify once a day', () => {
    const nightly = Object.keys(STEPS).filter((name) => STEPS[name]?.isNightly)

    expect(listWorkflowSteps('nightly')).toEqual(nightly.sort())
  })
})

describe('npm run verify', () => {
  it('runs steps that leave processors idle in parallel, and every other step alone', () => {
    const steps = ['static', 'build', 'tests', 'journeys', 'postgres-18', 'conformance', 'readme']

    expect(groupSteps(steps, 4)).toEqual([
      ['static'],
      ['build'],
      ['tests', 'journeys', 'postgres-18', 'conformance', 'readme'],
    ])
    expect(groupSteps(['readme', 'build', 'conformance'], 4)).toEqual([['readme'], ['build'], ['conformance']])
  })

  it('runs the tests alone on two processors, which they keep busy', () => {
    expect(groupSteps(['build', 'tests', 'journeys', 'readme'], 2)).toEqual([
      ['build'],
      ['tests'],
      ['journeys', 'readme'],
    ])
  })

  it('rejects an unknown step and lists the steps', async () => {
    await expect(runVerify('statics')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no step statics\. The steps are static, build/),
    })
  })

  it('rejects --shard for a step other than tests', async () => {
    await expect(runVerify('static', '--shard', '1/3')).rejects.toMatchObject({
      stderr: expect.stringContaining('--shard applies to the step "tests" only.'),
    })
  })

  it('runs only the named step', async () => {
    const { stdout } = await runVerify('sbom')

    expect(stdout).toMatch(
      /^\n=== SBOM: node tools\/make-sbom\.ts\n(?:(?!===)[\s\S])*=== SBOM: [\d.]+ s\n\nverified sbom in /,
    )
  })
})
