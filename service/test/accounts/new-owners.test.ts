// Every way to become an owner of an existing account is recorded, so that an alert can be based on it.
import { describe, expect, it } from 'vitest'
import { account } from '../support/builders.ts'
import { addMember } from '../support/members.ts'
import { readRows, runStatements } from '../support/run-statements.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService({ environment: { PUBLIC_URL: 'http://127.0.0.1' }, hasIdentity: true })
const { database, identity, logLines } = service
const customer = account('pro')
await service.given(customer)

const readNoted = () =>
  readRows(database.url, 'select account_id, member_id, login from accounts.new_owner order by id')

describe('A member who becomes an owner', () => {
  it('is recorded with the login, logged and shown by a metric; a new viewer is not', async () => {
    await addMember(database.url, { accountId: customer.id, email: 'viewer@example.org', role: 'viewer' })
    const changed = await addMember(database.url, { accountId: customer.id, email: 'a@example.org', role: 'admin' })
    expect(await readNoted()).toEqual([])

    await runStatements(database.url, `update accounts.member set role = 'owner' where id = ${changed}`)
    const added = await addMember(database.url, { accountId: customer.id, email: 'b@example.org', role: 'owner' })

    const login = new URL(database.url).username
    expect(await readNoted()).toEqual([
      { account_id: customer.id, member_id: changed, login },
      { account_id: customer.id, member_id: added, login },
    ])
    await expect.poll(() => identity?.metricsText(), { timeout: 10_000 }).toMatch(/^vis_new_owners 2$/m)
    await expect.poll(() => logLines.join(''), { timeout: 10_000 }).toContain('a member became an owner of an account')
  })

  it('is not recorded again for another change, nor as the first owner of an account created in the same transaction', async () => {
    const before = await readNoted()
    await runStatements(database.url, "update accounts.member set joined_at = now() where email = 'b@example.org'")
    await runStatements(
      database.url,
      `with made as (insert into accounts.account (name, plan, limit_half) values ('new', 'free', 2000) returning id)
       insert into accounts.member (account_id, email, role) select id, 'c@example.org', 'owner' from made`,
    )
    expect(await readNoted()).toEqual(before)
  })
})
