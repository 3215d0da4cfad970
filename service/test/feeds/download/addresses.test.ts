import { describe, expect, it } from 'vitest'
import { findAddressIssue } from '../../../src/feeds/download/addresses.ts'

describe('download: check of IP addresses', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.255',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::127.0.0.1',
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
    '100.64.0.1',
    '100.127.255.255',
    'fc00::1',
    'fdff:ffff::1',
    '::ffff:192.168.1.1',
    '64:ff9b::c0a8:101',
  ])('allows the internal address %s for private hosts only', (each) => {
    expect(findAddressIssue(each, false)).toMatch(/ is a (loopback|private) address$/)
    expect(findAddressIssue(each, true)).toBeUndefined()
  })

  it.each([
    '169.254.0.1',
    '169.254.169.254',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    '::ffff:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '::ffff:0.0.0.0',
    '224.0.0.1',
    '239.255.255.255',
    'ff02::1',
    '::ffff:224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.9',
    '2002:7f00:1::',
    '2001:0:1::',
    '2001:db8::1',
    '::127.0.0.1',
    'fec0::1',
    '4000::1',
    '64:ff9b:1::1',
    '100::1',
    '',
    'localhost',
    '127.0.0.1.example',
    '1.2.3',
    '2a00::1/64',
  ])('refuses the address %j for all hosts', (each) => {
    expect(findAddressIssue(each, false)).toBeDefined()
    expect(findAddressIssue(each, true)).toBeDefined()
  })

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450::1',
    '3fff::1',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
  ])('allows the public address %s', (each) => {
    expect(findAddressIssue(each, false)).toBeUndefined()
  })
})
