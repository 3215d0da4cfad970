import { describe, expect, it } from 'vitest'
import { findRelease, isOfRelease } from '../../src/domain/component/distribution-release.ts'

describe("A distribution's release", () => {
  it.each([
    ['rpm', 'fedora-37', '37'],
    ['rpm', 'rhel-9.4', '9.4'],
    ['rpm', 'epel-9', 'epel:9'],
    ['rpm', 'fedora-rawhide', null],
    ['deb', 'debian-12', 'bookworm'],
    ['deb', 'bookworm', 'bookworm'],
  ])('is read from the qualifier distro of a %s package: %s', (type, distro, release) => {
    expect(findRelease(type, distro)).toBe(release)
  })

  it.each([
    ['37', ['37', 'fedora'], ['38', 'epel', 'epel:37']],
    ['epel:9', ['epel:9', 'epel'], ['9', 'fedora', 'epel:8', 'enterprise_linux:9']],
    ['9.4', ['9', 'enterprise_linux:9', 'rhel_eus:9.4'], ['8', 'rhel_eus:9.2', 'epel:9']],
  ])('%s is concerned by the rows about it and by no others', (release, own, others) => {
    expect([...own, ...others].filter((target) => isOfRelease(target, release))).toEqual(own)
  })
})
