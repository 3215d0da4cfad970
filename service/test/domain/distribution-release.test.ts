import { describe, expect, it } from 'vitest'
import { findRelease, isOfRelease, readEcosystemRelease } from '../../src/domain/component/distribution-release.ts'

describe("A distribution's release", () => {
  it.each([
    ['rpm/fedora', 'fedora-37', '37'],
    ['rpm/redhat', 'rhel-9.4', '9.4'],
    ['rpm/fedora', 'epel-9', 'epel:9'],
    ['rpm/fedora', 'fedora-rawhide', null],
    ['rpm/rocky', 'rocky-9.4', '9.4'],
    ['rpm/suse', 'sles-15.5', '15.5'],
    ['rpm/suse', 'sles-15', '15.0'],
    ['rpm/suse', 'sle-micro-5.5', 'micro:5.5'],
    ['rpm/suse', 'suse', null],
    ['rpm/opensuse', 'opensuse-leap-15.6', '15.6'],
    ['rpm/opensuse', 'opensuse-tumbleweed-20260801', 'tumbleweed'],
    ['deb/debian', 'debian-12', 'bookworm'],
    ['deb/debian', 'bookworm', 'bookworm'],
    ['deb/ubuntu', 'ubuntu-24.04', '24.04'],
    ['deb/ubuntu', 'jammy', '22.04'],
    ['deb/ubuntu', 'ubuntu-24', null],
    ['deb/ubuntu', 'bookworm', null],
    ['apk/alpine', 'alpine-3.19.1', '3.19'],
    ['apk/alpine', '3.22_alpha20250108', 'edge'],
    ['apk/wolfi', 'wolfi-20230201', null],
  ])('is read from the qualifier distro of a package of %s: %s', (vendor, distro, release) => {
    expect(findRelease(vendor, distro)).toBe(release)
  })

  it.each([
    ['AlmaLinux:9', '9'],
    ['Rocky Linux:9', '9'],
    ['Alpine:v3.19', '3.19'],
    ['Debian:12', 'bookworm'],
    ['Ubuntu:24.04:LTS', '24.04'],
    ['Ubuntu:25.10', '25.10'],
    ['Ubuntu:Pro:22.04:LTS', '22.04'],
    ['Ubuntu:Pro:FIPS-updates:22.04:LTS', 'FIPS-updates:22.04'],
    ['SUSE:Linux Enterprise Server 15 SP5', '15.5'],
    ['SUSE:Linux Enterprise Server 15 SP4-LTSS', '15.4'],
    ['SUSE:Linux Enterprise Module for Python 3 15 SP6', '15.6'],
    ['SUSE:Linux Enterprise Server 12', '12.0'],
    ['SUSE:Linux Enterprise Server 16.0', '16.0'],
    ['SUSE:Linux Enterprise Micro 5.5', 'micro:5.5'],
    [
      'SUSE:Linux Enterprise High Performance Computing 15 SP4-ESPOS',
      'Linux Enterprise High Performance Computing 15 SP4-ESPOS',
    ],
    ['openSUSE:Leap 15.6', '15.6'],
    ['openSUSE:Tumbleweed', 'tumbleweed'],
    ['Wolfi', ''],
    ['npm', ''],
  ])('is read from the OSV ecosystem %s', (ecosystem, release) => {
    expect(readEcosystemRelease(ecosystem)).toBe(release)
  })

  it.each([
    ['37', ['37', 'fedora'], ['38', 'epel', 'epel:37']],
    ['epel:9', ['epel:9', 'epel'], ['9', 'fedora', 'epel:8', 'enterprise_linux:9']],
    ['9.4', ['9', 'enterprise_linux:9', 'rhel_eus:9.4'], ['8', 'rhel_eus:9.2', 'epel:9']],
  ])('%s is concerned by the rows about it and by no others', (release, own, others) => {
    expect([...own, ...others].filter((target) => isOfRelease(target, release))).toEqual(own)
  })
})
