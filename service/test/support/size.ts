// Test sizes. The vitest project "long" sets TEST_SIZE=long; every other run uses the short size.

export const isLongRun = process.env['TEST_SIZE'] === 'long'

/** Returns the variant of a test plan for the size (short or long) of the test run. */
export function chooseBySize<Plan>({ short, long }: { readonly short: Plan; readonly long: Plan }): Plan {
  return isLongRun ? long : short
}
