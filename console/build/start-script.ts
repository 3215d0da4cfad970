// A Vite plugin that puts the start script into the head of index.html: as a file of its own, because the content security
// policy permits no inline script, and not as a module, because the browser runs those after the first paint. The script
// is bundled apart, so that it needs no other file.
import { build, type Plugin } from 'vite'

const SOURCE = 'src/data/start-script.ts'
const NAME = 'start.js'

export function startScript(): Plugin {
  let base = '/'
  let root = ''
  let isBuild = false
  return {
    name: 'start-script',
    configResolved: (config) => {
      ;({ base, root } = config)
      isBuild = config.command === 'build'
    },
    async buildStart() {
      if (isBuild) this.emitFile({ type: 'asset', name: NAME, source: await bundle(root) })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle: files }) => {
        if (!isBuild) return [{ tag: 'script', attrs: { type: 'module', src: `${base}${SOURCE}` }, injectTo: 'head' }]
        const file = Object.values(files ?? {}).find((each) => each.type === 'asset' && each.names.includes(NAME))
        if (file === undefined) throw new Error(`${SOURCE} is not part of the build`)
        return [{ tag: 'script', attrs: { src: `${base}${file.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

async function bundle(root: string): Promise<string> {
  const result = await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'silent',
    build: { write: false, target: 'es2022', rolldownOptions: { input: SOURCE, output: { format: 'iife' } } },
  })
  const [chunk] = 'output' in result ? result.output : []
  if (chunk === undefined) throw new Error(`${SOURCE} could not be bundled`)
  return chunk.code
}
