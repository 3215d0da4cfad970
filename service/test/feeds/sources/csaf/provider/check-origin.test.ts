import { expect, it } from 'vitest'
import { findOriginIssue } from '../../../../../src/feeds/sources/csaf/provider/check-origin.ts'

const check = (namespace: unknown, publisher: string) =>
  findOriginIssue({ document: { tracking: { id: 'A-1' }, publisher: { namespace } } }, 'a-1.json', publisher)

it.each([
  ['https://acme.example', 'https://www.acme.example/psirt'],
  ['https://wwww.acme.example/', 'https://acme.example'],
])('A document with the namespace %s comes from the publisher %s', (namespace, publisher) => {
  expect(check(namespace, publisher)).toBeUndefined()
})

it.each([
  ['https://evil.example', 'https://acme.example'],
  ['Acme', 'https://acme.example'],
  // Two names that are not addresses would otherwise both have no domain, and so the same one.
  ['Evil', 'Acme'],
  [undefined, 'Acme'],
])('A document with the namespace %s does not come from the publisher %s', (namespace, publisher) => {
  expect(check(namespace, publisher)).toContain('its publisher')
})
