import { describe, expect, it } from 'vitest'
import { buildRegistryPurl } from '../../src/domain/purl/registry-address.ts'

describe('Package URL from the address of a registry', () => {
  it.each([
    ['https://wordpress.org/plugins', 'Lark-Gallery', 'pkg:wordpress/plugin/lark-gallery'],
    ['https://wordpress.org/plugins/lark-gallery/', 'lark-gallery', 'pkg:wordpress/plugin/lark-gallery'],
    ['https://wordpress.org/themes/', 'lark', 'pkg:wordpress/theme/lark'],
    ['https://repo.maven.apache.org/maven2', 'org.example:lark', 'pkg:maven/org.example/lark'],
    ['https://pypi.python.org', 'Lark_Tools', 'pkg:pypi/lark-tools'],
    ['https://www.npmjs.com', '@example/lark', 'pkg:npm/%40example/lark'],
    ['https://rubygems.org', 'lark', 'pkg:gem/lark'],
    [
      'https://wordpress.org/plugins',
      'https://wordpress.org/plugins/lark-gallery/',
      'pkg:wordpress/plugin/lark-gallery',
    ],
    ['https://wordpress.org/plugins', 'lark-gallery/', 'pkg:wordpress/plugin/lark-gallery'],
  ])('%s and %s give %s', (address, name, purl) => {
    expect(buildRegistryPurl(address, name)).toBe(purl)
  })

  it.each([
    ['a site that is no registry', 'https://example.com', 'lark'],
    ['a name that contains the address of a registry', 'https://rubygems.org.example.com', 'lark'],
    ['the start page of WordPress', 'https://wordpress.org', 'lark'],
    ['prose', 'https://rubygems.org', 'the lark gem'],
    ['the address of another registry', 'https://rubygems.org', 'https://wordpress.org/plugins/lark'],
    ['a name without the group that Maven requires', 'https://repo.maven.apache.org/maven2', 'lark'],
  ])('%s gives none', (_, address, name) => {
    expect(buildRegistryPurl(address, name)).toBeNull()
  })
})
