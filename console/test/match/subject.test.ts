import { describe, expect, it } from 'vitest'
import { readDocument, readFile } from '../../src/pages/match/document.ts'
import { readSubject, toDocument } from '../../src/pages/match/subject.ts'

const CYCLONEDX = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [] }

describe('Reading an SBOM in the browser', () => {
  it.each([
    [CYCLONEDX, 'CycloneDX 1.6'],
    [{ spdxVersion: 'SPDX-2.3', packages: [] }, 'SPDX 2.3'],
    [{ predicateType: 'https://spdx.dev/Document', predicate: { spdxVersion: 'SPDX-2.3' } }, 'SPDX 2.3'],
    [{ '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] }, 'SPDX 3'],
  ])('names the format of %j', (content, format) => {
    expect(readDocument('sbom.json', JSON.stringify(content))).toEqual({ name: 'sbom.json', format, content })
  })

  it.each([
    ['<bom></bom>', /sbom\.json is XML\. Save the SBOM as JSON/],
    ['SPDXVersion: SPDX-2.3', /tags and values/],
    ['{"bomFormat":', /is not JSON/],
    ['[]', /is not a JSON object/],
    ['{"name":"package.json"}', /neither a CycloneDX nor an SPDX document/],
  ])('rejects %j and says what to send', (text, message) => {
    expect(() => readDocument('sbom.json', text)).toThrow(message)
  })

  it('rejects a file larger than 10 MiB', async () => {
    const file = new File(['x'.repeat(10 * 1024 * 1024 + 1)], 'large.json')

    await expect(readFile(file)).rejects.toThrow('large.json has more than 10 MiB.')
  })
})

describe('Input to check', () => {
  it('is read as an SBOM if the pasted text begins with a brace', () => {
    expect(readSubject(`\n${JSON.stringify(CYCLONEDX)}`).subject).toMatchObject({ kind: 'document' })
    expect(readSubject('{"a":1}').issues).toEqual([{ line: 1, message: expect.stringContaining('neither') }])
  })

  it('asks for a component if the text has none', () => {
    expect(readSubject('# comment\n\n').issues).toEqual([{ line: 1, message: expect.stringContaining('at least one') }])
  })

  it('becomes a CycloneDX document for OpenVEX if it has package URLs and CPE names', () => {
    const { subject } = readSubject('pkg:npm/a@1\n\ncpe:2.3:a:b:c:1:*:*:*:*:*:*:*')

    expect(subject && toDocument(subject)).toMatchObject({
      bomFormat: 'CycloneDX',
      components: [
        { 'bom-ref': 'line-1', purl: 'pkg:npm/a@1' },
        { 'bom-ref': 'line-3', cpe: 'cpe:2.3:a:b:c:1:*:*:*:*:*:*:*' },
      ],
    })
  })

  it('does not become a document if it has product names, which OpenVEX cannot identify', () => {
    const { subject } = readSubject('pkg:npm/a@1\napache log4j 2.14.1')

    expect(subject && toDocument(subject)).toBeUndefined()
  })
})
