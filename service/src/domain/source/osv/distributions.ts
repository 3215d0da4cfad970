// Databases of distributions.
import type { OsvFacts } from './facts.ts'

const DAY = 24 * 60 * 60

const SUSE = {
  homepage: 'https://www.suse.com/support/security/',
  // No page names a licence of the OSV files; that of the same data in the OVAL format is CC BY 4.0.
  terms: { name: 'CC BY 4.0 for the same data in OVAL format', url: 'https://www.suse.com/support/security/oval/' },
  notice: '© SUSE. Advisories are excerpted; references link to the originals.',
  maxDataAgeDays: 14,
  namesSourcePackages: true,
  cveIdsIn: 'upstream',
} as const

export const DISTRIBUTION_DATABASES = {
  almalinux: {
    work: 'AlmaLinux errata',
    homepage: 'https://errata.almalinux.org/',
    terms: { name: 'MIT', url: 'https://github.com/AlmaLinux/osv-database/blob/master/LICENSE' },
    notice: '© AlmaLinux OS Foundation. Errata are excerpted; references link to the originals.',
    content: 'AlmaLinux errata: fixed versions of RPM packages',
    maxDataAgeDays: 30,
    packages: ['rpm/almalinux'],
    releases: ['8', '9', '10'],
    ecosystem: 'AlmaLinux',
    advisories: {
      name: 'ALSA',
      pattern: /^AL[SBE]A-\d{4}:[A-Z0-9-]{1,90}$/,
      example: 'ALSA-2024:4312',
      issuer: 'AlmaLinux',
    },
    cveIdsIn: 'related',
  },
  // The tracker (feed `debian`) judges Debian's packages; an advisory only says what it fixes at once.
  debian: {
    work: 'Debian security advisories',
    homepage: 'https://www.debian.org/security/',
    terms: { name: 'No licence stated', url: 'https://security-team.debian.org/security_tracker.html' },
    notice: 'Source: Debian security team. Only facts are stored, and no text of the advisories.',
    excerpt: 'We store ids, dates and links',
    content: 'Debian security advisories (DSA) and those of its long-term support (DLA): the CVEs of each',
    maxDataAgeDays: 14,
    ecosystem: 'Debian',
    advisories: {
      name: 'DSA',
      pattern: /^D[SL]A-\d{1,5}-\d{1,3}$/,
      example: 'DSA-5724-1',
      issuer: 'Debian',
      page: 'https://security-tracker.debian.org/tracker/{id}',
    },
    cveIdsIn: 'upstream',
    // Files of the tracker are called debian-tracker-….
    files: 'debian-advisories',
  },
  rocky: {
    work: 'Rocky Linux errata',
    homepage: 'https://errata.rockylinux.org/',
    terms: { name: 'BSD-3-Clause', url: 'https://google.github.io/osv.dev/data/' },
    notice: '© Rocky Enterprise Software Foundation. Errata are excerpted; references link to the originals.',
    content: 'Rocky Linux errata: fixed versions of source RPM packages',
    maxDataAgeDays: 30,
    packages: ['rpm/rocky'],
    releases: ['8', '9', '10'],
    ecosystem: 'Rocky Linux',
    namesSourcePackages: true,
    advisories: {
      name: 'RLSA',
      pattern: /^R[LX][SBE]A-\d{4}:\d{3,6}$/,
      example: 'RLSA-2024:4312',
      issuer: 'Rocky Linux',
    },
    cveIdsIn: 'upstream',
  },
  suse: {
    ...SUSE,
    work: 'SUSE security advisories',
    content: 'SUSE Linux Enterprise: fixed versions of source RPM packages',
    packages: ['rpm/suse'],
    // Releases with general or long-term support.
    releases: ['12.5', '15.4', '15.5', '15.6', '15.7', '16.0'],
    ecosystem: 'SUSE',
    advisories: {
      name: 'SUSE',
      pattern: /^SUSE-[A-Z]{2}-\d{4}:\d{1,6}-\d{1,3}$/,
      example: 'SUSE-SU-2024:2275-1',
      issuer: 'SUSE',
    },
  },
  opensuse: {
    ...SUSE,
    work: 'openSUSE security advisories',
    content: 'openSUSE: fixed versions of source RPM packages',
    packages: ['rpm/opensuse'],
    releases: ['16.0', 'tumbleweed'],
    ecosystem: 'openSUSE',
    advisories: {
      name: 'openSUSE',
      // Many packages of openSUSE Leap are those of SUSE Linux Enterprise.
      pattern: /^(?:open)?SUSE-[A-Z]{2}-\d{4}:\d{1,6}-\d{1,3}$/,
      example: 'openSUSE-SU-2021:1577-1',
      issuer: 'openSUSE',
    },
  },
  ubuntu: {
    work: 'Ubuntu security data (Canonical)',
    homepage: 'https://ubuntu.com/security/osv',
    terms: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
    notice: '© Canonical Ltd., under CC BY-SA 4.0. Records are excerpted; references link to the originals.',
    content: 'Ubuntu CVE records and notices: affected and fixed versions of source packages, Ubuntu Pro included',
    maxDataAgeDays: 7,
    // The archive has 816 MB (November 2026), and a new one replaces it many times a day.
    intervalSeconds: DAY,
    hasLargeArchive: true,
    packages: ['deb/ubuntu'],
    // Releases with standard support or Ubuntu Pro.
    releases: ['14.04', '16.04', '18.04', '20.04', '22.04', '24.04', '25.10', '26.04'],
    ecosystem: 'Ubuntu',
    namesSourcePackages: true,
    advisories: {
      name: 'USN',
      pattern: /^(?:UBUNTU-CVE-\d{4}-\d{4,9}|[LU]SN-\d{1,5}-\d{1,3})$/,
      example: 'USN-6859-1',
      issuer: 'Ubuntu',
    },
    notices: /^[LU]SN-/,
    cveIdsIn: 'upstream',
  },
} as const satisfies Readonly<Record<string, OsvFacts>>
