import plugin from '@scalar/fastify-api-reference'
import fastify from 'fastify'

/**
 * Text that Scalar shows in an empty key field. It looks like a key ("ALL YOUR BASE ARE BELONG TO US" in base64), and no
 * setting of Scalar removes it.
 */
const PLACEHOLDER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT'

/** Reads the browser script of Scalar from its package, which contains the script only inside a Fastify plugin. */
export async function compute(): Promise<string> {
  const app = fastify()
  await app.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } })
  const { body, statusCode } = await app.inject('/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`The plugin of Scalar returned status ${statusCode} for its browser script.`)
  if (!body.includes(PLACEHOLDER)) throw new Error('The browser script of Scalar has another placeholder for keys.')
  return body.replaceAll(PLACEHOLDER, '')
}
