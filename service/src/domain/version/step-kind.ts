/** How far apart two versions are. Ordered from the smallest step to the largest. */
export const STEP_KINDS = ['patch', 'minor', 'major'] as const

export type StepKind = (typeof STEP_KINDS)[number]

/**
 * Compares the leading numbers of two versions: `major` if the first number or the epoch differs, `minor` if the second
 * differs, else `patch`. A distribution's revision is behind these numbers, so 7.88.1-10+deb12u8 is a patch.
 */
export function classifyStep(from: string, to: string): StepKind {
  const [old, next] = [readNumbers(from), readNumbers(to)]
  if (old.epoch !== next.epoch || old.first !== next.first) return 'major'
  return old.second === next.second ? 'patch' : 'minor'
}

const EPOCH = /^(\d+)[:!]/
const NUMBERS = /(\d+)(?:\.(\d+))?/

function readNumbers(version: string) {
  const epoch = EPOCH.exec(version)
  const [, first = '0', second = '0'] = NUMBERS.exec(version.slice(epoch?.[0].length ?? 0)) ?? []
  return { epoch: BigInt(epoch?.[1] ?? 0), first: BigInt(first), second: BigInt(second) }
}
