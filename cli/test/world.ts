// `vis` as a caller runs it: a process of its own, against the real service.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { account, aKey } from '../../service/test/support/builders.ts'
import type { Outcome } from '../../service/test/support/processes/command.ts'
import { PATIENT, type TestService, type TestServiceOptions, testService } from '../../service/test/support/service.ts'

export const VIS = fileURLToPath(new URL('../bin/vis.js', import.meta.url))

export interface World extends TestService {
  readonly url: string
  readonly key: string
  /** With the address and a good key in its environment, unless told otherwise. */
  vis(words: readonly string[], environment?: Readonly<Record<string, string | undefined>>): Promise<Outcome>
}

export async function world(environment: TestServiceOptions['environment'] = {}): Promise<World> {
  const service = await testService({ environment: { ...PATIENT, ...environment } })
  const { key } = await keyOf(service)
  const url = `http://127.0.0.1:${service.api.port}`
  return {
    ...service,
    url,
    key,
    vis: (words, more = {}) => run(VIS, words, { VIS_URL: url, VIS_API_KEY: key, ...more }),
  }
}

/** Of an account of its own. */
export async function keyOf({ given }: TestService, creditsLeft?: number) {
  const key = aKey()
  const owner = account('pro').withKey(key)
  await given(creditsLeft === undefined ? owner : owner.withCreditsLeft(creditsLeft))
  return key
}

export function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env, timeout: 20_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}
