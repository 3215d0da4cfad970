import { describe, expect, it } from 'vitest'
import { findFixStatement } from '../../../src/catalog/sources/prose/find-fix-statement.ts'

describe('Fix statements in prose', () => {
  it.each([
    ['The parser in Example Router before 2.4.1 allows a restart.', 'before', '2.4.1'],
    ['Example Router 2.x before 2.4.1, and 3.x before 3.0.2, restarts.', 'before', '2.4.1'],
    ['All versions prior to version v2.4.1 are affected.', 'before', '2.4.1'],
    ['A packet restarts the router (before the 2.4.1 release).', 'before', '2.4.1'],
    ['This issue is fixed in Example Router OS 2.4.1 and Example Switch 3.0.', 'fixed in', '2.4.1'],
    ['The flaw was patched in version 2.4.1.', 'fixed in', '2.4.1'],
    ['Corrected in 16.20.06 and later.', 'fixed in', '16.20.06'],
    ['Users are advised to upgrade to version 2.4.1 or later.', 'upgrade to', '2.4.1'],
    ['Upgrading to version 2.4.1 resolves this issue.', 'upgrade to', '2.4.1'],
    ['Upgrade to v14.0', 'upgrade to', '14.0'],
    ['Upgrade to v.14.0.2', 'upgrade to', '14.0.2'],
    ['There is no workaround. Update to Example Router 2.4.1+.', 'upgrade to', '2.4.1'],
    ['The router restarts. Update to router-core@2.4.1.', 'upgrade to', '2.4.1'],
    ['Versions prior to Example Router OS version 2.4.1 restart.', 'before', '2.4.1'],
    ['The router before firmware version 2.4.1 restarts.', 'before', '2.4.1'],
    ['Routers prior to releases 2.4.1 and 3.0.2 restart.', 'before', '2.4.1'],
    ['A flaw exists in Example Router before Example Router 2.4.1, where it restarts.', 'before', '2.4.1'],
    ['Example Router OS versions prior to Example Router OS v2.4.1 restart.', 'before', '2.4.1'],
    ['Example Router before 2.7 SP7 Patch 10 HF1 restarts.', 'before', '2.7 SP7 Patch 10 HF1'],
    ['Example Router before 5.2 Patch 11 restarts.', 'before', '5.2 Patch 11'],
    ['Example Router before 9.0.0.1 iFix 3, and others.', 'before', '9.0.0.1 iFix 3'],
    ['Fixed in Example Router 4.7 SP6 HF1.', 'fixed in', '4.7 SP6 HF1'],
    ['A flaw in Example Router (All versions < V2.4.1) restarts it.', 'before', '2.4.1'],
    ['Example Router <2.4.1 restarts.', 'before', '2.4.1'],
    ['A flaw in Router < 2.4.1- A packet restarts it.', 'before', '2.4.1'],
    ['The router restarts. Version 2.4.1 fixes the issue.', 'fixed in', '2.4.1'],
    ['Versions 2.4.1, 3.0.2 and 4.1 contain a patch.', 'fixed in', '2.4.1'],
    ['The vendor released a fix in version 2.4.1.', 'fixed in', '2.4.1'],
    ['A fix is available in 2.4.1.', 'fixed in', '2.4.1'],
    ['The router needs PHP < 8.0 to restart. Fixed in 2.4.1.', 'fixed in', '2.4.1'],
  ])('are read from "%s"', (text, phrase, version) => {
    expect(findFixStatement(text)).toEqual({ phrase, version })
  })

  it.each([
    ['names a year', 'The router was sold before 2019 and restarts.'],
    ['names a date', 'The router was sold before 2019-05-01 and restarts.'],
    ['names a date before a version', 'Router before "12.06.2018 - 4.1.3" restarts.'],
    ['names the last affected version', 'Versions prior to and including 2.4.1 are affected.'],
    ['includes the version', 'Versions prior to 2.4.1 (inclusive) are affected.'],
    ['names only affected versions', 'Example Router 2.4.1 and before restarts.'],
    ['says that the fix is partial', 'The flaw was partially patched in version 2.4.1.'],
    ['says that there is no fix', "The flaw isn't fixed in 2.4.1."],
    ['describes an upgrade without recommending it', 'After an upgrade to 2.4.1 the router keeps the old password.'],
    ['names the version in another sentence', 'The flaw is fixed in all branches. Version 2.4.1 was tested.'],
    ['names a series', 'The flaw is fixed in 2.4.x soon.'],
    ['recommends a downgrade', 'Downgrading to version 1.8.3 is recommended.'],
    ['names a version of the platform', 'The router restarts if the PHP version < 8.0 is installed.'],
    ['includes the version after a sign', 'Example Router <= 2.4.1 restarts.'],
    ['names the last affected versions of products', 'Router version 1.2 and prior, Switch version 2.4.1 and prior.'],
    ['has another sentence before the version', 'A packet is read prior to login. Version 2.4.1 restarts.'],
    ['says when something happens', 'A packet is read before the check of version 2.4.1 is done.'],
    ['says that a version partly fixes the issue', 'Version 2.4.1 contains an incomplete fix.'],
    ['says that a fix is incomplete', 'The flaw exists due to an incomplete fix in version 2.4.1.'],
    ['names a version with a flaw', 'Version 2.4.1 contains a flaw.'],
    ['names a branch after a patch', 'Router 7.1 before patch 3, version 7.2 before patch 1.'],
    ['names a version of another product', 'Example Router before OpenSSL 2.4.1 restarts.'],
    ['is empty', ''],
  ])('are not read from a text that %s', (_, text) => {
    expect(findFixStatement(text)).toBeNull()
  })
})
