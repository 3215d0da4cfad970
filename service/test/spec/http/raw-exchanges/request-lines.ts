// Request lines: targets, methods and versions.
import {
  closes,
  get,
  KEY,
  keepsOpen,
  LITE,
  MALFORMED,
  NOT_ALLOWED,
  NOT_FOUND,
  type RawExchange,
  request,
} from './requests.ts'

const TOO_LONG = '414 URI_TOO_LONG'

export const TARGETS: readonly RawExchange[] = [
  keepsOpen('an absolute URL', get(`http://a${LITE}`), '200'),
  keepsOpen('an absolute URL without a path', get('http://a'), NOT_FOUND),
  keepsOpen('an absolute URL of another scheme', get(`ftp://a${LITE}`), NOT_FOUND),
  keepsOpen(
    'an absolute URL with an impossible port and a key in the query',
    get(`http://a:99999/x?api_key=${KEY}`),
    MALFORMED,
  ),
  keepsOpen('an absolute URL with an unfinished IPv6 address', get('http://[::1/'), MALFORMED),
  keepsOpen('an absolute URL without a host', get('http:///health'), MALFORMED),
  keepsOpen('a fragment', get(`${LITE}#x`), MALFORMED),
  keepsOpen('a fragment in an absolute URL', get('http://a/health#x'), MALFORMED),
  closes('a fragment after the host of an absolute URL', get('http://a#/health'), MALFORMED),
  keepsOpen('OPTIONS *', request('OPTIONS * HTTP/1.1'), '204'),
  keepsOpen('GET *', request('GET * HTTP/1.1'), NOT_FOUND),
  closes('GET with host and port as the target', request('GET a:443 HTTP/1.1'), MALFORMED),
  closes('a target that does not start with a slash', request('GET health HTTP/1.1'), MALFORMED),
  keepsOpen('invalid percent-escapes in the path, with a key', get(`/api/v1/cve/%zz${KEY}`), NOT_FOUND),
  keepsOpen('percent-escapes that are not UTF-8 in the path', get('/api/v1/cve/%FF'), NOT_FOUND),
  keepsOpen('invalid percent-escapes in the query', get('/api/v1/cves?q=%FF'), MALFORMED),
  closes('NUL in the target', get('/health\0'), MALFORMED),
  closes('a byte over 127 in the target', get('/h\xe9alth'), MALFORMED),
  keepsOpen('a URL of 8193 bytes', get(`/${'x'.repeat(8192)}`), TOO_LONG),
  keepsOpen('a CVE id of 8500 bytes', get(`/api/v1/cve/${'x'.repeat(8500)}`), TOO_LONG),
  closes('a URL of 30,000 bytes', get(`/${'x'.repeat(30_000)}`), TOO_LONG),
]

export const METHODS_AND_VERSIONS: readonly RawExchange[] = [
  closes('CONNECT with a key as the target', request(`CONNECT ${KEY}:443 HTTP/1.1`), NOT_ALLOWED),
  closes('an unknown method', request('FETCH / HTTP/1.1'), MALFORMED),
  closes('a method in small letters', request('get /health HTTP/1.1'), MALFORMED),
  closes('a key as the method', request(`${KEY} / HTTP/1.1`), MALFORMED),
  keepsOpen('a known method that no endpoint has', request(`PROPFIND ${LITE} HTTP/1.1`), NOT_ALLOWED),
  closes('a method that only sources of audio streams have', request('SOURCE /health ICE/1.0'), NOT_ALLOWED),
  closes('HTTP/1.0 without a Host header', 'GET /health HTTP/1.0\r\n\r\n', '200'),
  keepsOpen('HTTP/1.0 with Connection: keep-alive', request('GET /health HTTP/1.0', ['Connection: keep-alive']), '200'),
  closes('HTTP/0.9', 'GET /health\r\n\r\n', MALFORMED),
  closes('HTTP/1.2', request('GET /health HTTP/1.2'), MALFORMED),
  closes('HTTP/2.0 in a request line', request('GET /health HTTP/2.0'), MALFORMED),
  closes('the start of an HTTP/2 connection', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', MALFORMED),
  closes('the start of a TLS connection', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', MALFORMED),
  closes('a version without a number', request('GET /health HTTP/x'), MALFORMED),
]
