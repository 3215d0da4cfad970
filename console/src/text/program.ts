/** The first lines of a TypeScript program that calls the service. */
export const CREATE_CLIENT = `import { createClient } from 'vis-sdk'

const client = createClient({ url: process.env.VIS_URL ?? '', apiKey: process.env.VIS_API_KEY ?? '' })`
