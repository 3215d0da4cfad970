// Test sizes. The vitest project "long" sets TEST_SIZE=long; every other run uses the short size.

export const isLongRun = process.env['TEST_SIZE'] === 'long'

/** Chooses the plan of a test by the size of the run. */
export function chooseBySize<Plan>({ short, long }: { readonly short: Plan; readonly long: Plan }): Plan {
  return isLongRun ? long : short
}
