import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const client = new Client({ connectionString: database.url })
beforeAll(() => client.connect())
afterAll(() => client.end())

describe('A database dump', () => {
  it('can be restored: each function can be created from the definition that pg_dump writes', async () => {
    const { rows } = await client.query<{ name: string; definition: string }>(`
      select function.oid::regprocedure::text as name, pg_get_functiondef(function.oid) as definition
        from pg_proc as function
       where pronamespace in ('catalog'::regnamespace, 'source'::regnamespace, 'accounts'::regnamespace, 'notify'::regnamespace)`)
    expect(rows.length).toBeGreaterThan(20)
    for (const { name, definition } of rows)
      await client.query(definition).catch((cause: unknown) => {
        throw new Error(`the definition of ${name} is not valid`, { cause })
      })
  })
})
