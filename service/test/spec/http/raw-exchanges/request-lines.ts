// Request lines: targets, methods and versions.
import { get, KEY, LITE, MALFORMED, NOT_ALLOWED, NOT_FOUND, type RawExchange, request } from './requests.ts'

const TOO_LONG = '414 URI_TOO_LONG'

export const TARGETS: readonly RawExchange[] = [
  {
    name: 'an absolute URL',
    steps: [get(`http://a${LITE}`)],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'an absolute URL without a path',
    steps: [get('http://a')],
    responses: [NOT_FOUND],
    connection: 'open',
  },
  {
    name: 'an absolute URL of another scheme',
    steps: [get(`ftp://a${LITE}`)],
    responses: [NOT_FOUND],
    connection: 'open',
  },
  {
    name: 'an absolute URL with an impossible port and a key in the query',
    steps: [get(`http://a:99999/x?api_key=${KEY}`)],
    responses: [MALFORMED],
    connection: 'open',
  },
  {
    name: 'an absolute URL with an unfinished IPv6 address',
    steps: [get('http://[::1/')],
    responses: [MALFORMED],
    connection: 'open',
  },
  {
    name: 'an absolute URL without a host',
    steps: [get('http:///health')],
    responses: [MALFORMED],
    connection: 'open',
  },
  {
    name: 'a fragment',
    steps: [get(`${LITE}#x`)],
    responses: [MALFORMED],
    connection: 'open',
  },
  {
    name: 'a fragment in an absolute URL',
    steps: [get('http://a/health#x')],
    responses: [MALFORMED],
    connection: 'open',
  },
  {
    name: 'a fragment after the host of an absolute URL',
    steps: [get('http://a#/health')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'OPTIONS *',
    steps: [request('OPTIONS * HTTP/1.1')],
    responses: ['204'],
    connection: 'open',
  },
  {
    name: 'GET *',
    steps: [request('GET * HTTP/1.1')],
    responses: [NOT_FOUND],
    connection: 'open',
  },
  {
    name: 'GET with host and port as the target',
    steps: [request('GET a:443 HTTP/1.1')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a target that does not start with a slash',
    steps: [request('GET health HTTP/1.1')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'invalid percent-escapes in the path, with a key',
    steps: [get(`/api/v1/cve/%zz${KEY}`)],
    responses: [NOT_FOUND],
    connection: 'open',
  },
  {
    name: 'percent-escapes that are not UTF-8 in the path',
    steps: [get('/api/v1/cve/%FF')],
    responses: [NOT_FOUND],
    connection: 'open',
  },
  {
    name: 'invalid percent-escapes in the query',
    steps: [get('/api/v1/cves?q=%FF')],
    responses: [MALFORMED],
    connection: 'open',
  },
  {
    name: 'NUL in the target',
    steps: [get('/health\0')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a byte over 127 in the target',
    steps: [get('/h\xe9alth')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a URL of 8193 bytes',
    steps: [get(`/${'x'.repeat(8192)}`)],
    responses: [TOO_LONG],
    connection: 'open',
  },
  {
    name: 'a CVE id of 8500 bytes',
    steps: [get(`/api/v1/cve/${'x'.repeat(8500)}`)],
    responses: [TOO_LONG],
    connection: 'open',
  },
  {
    name: 'a URL of 30,000 bytes',
    steps: [get(`/${'x'.repeat(30_000)}`)],
    responses: [TOO_LONG],
    connection: 'closed',
  },
]

export const METHODS_AND_VERSIONS: readonly RawExchange[] = [
  {
    name: 'CONNECT with a key as the target',
    steps: [request(`CONNECT ${KEY}:443 HTTP/1.1`)],
    responses: [NOT_ALLOWED],
    connection: 'closed',
  },
  {
    name: 'an unknown method',
    steps: [request('FETCH / HTTP/1.1')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a method in small letters',
    steps: [request('get /health HTTP/1.1')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a key as the method',
    steps: [request(`${KEY} / HTTP/1.1`)],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a known method that no endpoint has',
    steps: [request(`PROPFIND ${LITE} HTTP/1.1`)],
    responses: [NOT_ALLOWED],
    connection: 'open',
  },
  {
    name: 'a method that only sources of audio streams have',
    steps: [request('SOURCE /health ICE/1.0')],
    responses: [NOT_ALLOWED],
    connection: 'closed',
  },
  {
    name: 'HTTP/1.0 without a Host header',
    steps: ['GET /health HTTP/1.0\r\n\r\n'],
    responses: ['200'],
    connection: 'closed',
  },
  {
    name: 'HTTP/1.0 with Connection: keep-alive',
    steps: [request('GET /health HTTP/1.0', ['Connection: keep-alive'])],
    responses: ['200'],
    connection: 'open',
  },
  {
    name: 'HTTP/0.9',
    steps: ['GET /health\r\n\r\n'],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'HTTP/1.2',
    steps: [request('GET /health HTTP/1.2')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'HTTP/2.0 in a request line',
    steps: [request('GET /health HTTP/2.0')],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'the start of an HTTP/2 connection',
    steps: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'the start of a TLS connection',
    steps: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    responses: [MALFORMED],
    connection: 'closed',
  },
  {
    name: 'a version without a number',
    steps: [request('GET /health HTTP/x')],
    responses: [MALFORMED],
    connection: 'closed',
  },
]
