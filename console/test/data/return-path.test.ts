import { describe, expect, it } from 'vitest'
import { toReturnPath } from '../../src/data/return-path.ts'

describe('Address after sign-in', () => {
  it.each(['/console/', '/console/cves?q=log4j&kev=true', '/console/cves/CVE-2021-44228#sources'])(
    'returns to %s',
    (path) => {
      expect(toReturnPath(path)).toBe(path)
    },
  )

  it.each([
    undefined,
    '',
    'https://evil.example/console/',
    '//evil.example/console/',
    '/\\evil.example/console/',
    '/console/../docs',
    '/console/%2e%2e/docs',
    '/console/..\\..\\docs',
    '/consoles',
    '/console',
    'javascript:alert(1)',
    '/console/sign-in?return=/console/',
    '/console/enter',
    ' /console/cves',
  ])('goes to the start page instead of %j', (path) => {
    expect(toReturnPath(path)).toBe('/console/')
  })
})
