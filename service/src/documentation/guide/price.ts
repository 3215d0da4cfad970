import type { ServedEndpoint } from '../../api/services.ts'

/** Returns the credits for a call to the endpoint with this name. */
export function findPrice(endpoints: readonly ServedEndpoint[], name: string): number {
  const endpoint = endpoints.find((each) => each.name === name)
  if (endpoint === undefined) throw new Error(`There is no endpoint ${name}.`)
  return endpoint.credits
}

/** Returns the price in words. */
export function describePrice(endpoints: readonly ServedEndpoint[], name: string): string {
  const credits = findPrice(endpoints, name)
  return `${credits} ${credits === 1 ? 'credit' : 'credits'}`
}
